/** A second log that is played in step with a first: by share of its length. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `to` is begun anew. It is open only while bytes are written: nobody is to be taken for the server that wrote it. */
export function openAside({ log, to }) {
  const bytes = readFileSync(log);
  let from = 0;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, '');
  return {
    playTo(share) {
      const end = Math.round(bytes.length * share);
      appendFileSync(to, bytes.subarray(from, end));
      from = end;
    },
  };
}
