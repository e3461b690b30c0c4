/** Weights that come from the hub: files below its cache, and hardly a word in the log (vLLM turns the hub's bars off). */
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { targetConfig } from '../disk/target.mjs';
import { keepSilence } from '../stand-in/silence.mjs';

const commit = '8f1c2f0b7f3e4a6d9b5c1e0a2d3f4b5c6d7e8f90';
const configBlob = 'b1f8e3a0c4d2967f5e1a0b3c8d7e6f9a2b4c5d10';
/** As many files at a time as the hub's client takes. */
const parallel = 8;
const filesMib = 4;
const flowSeconds = 90;
/** Real time: whoever watches must be able to see that bytes come before they stop. */
const leastSeconds = 12;

/** The small files, which come first and draw bars: the API server wants them. */
export function logHubFiles({ api, args }) {
  const folder = repository(args.model);
  for (const path of ['blobs', 'refs', join('snapshots', commit)]) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'refs', 'main'), commit);
  writeFileSync(join(folder, 'blobs', configBlob), `${JSON.stringify(targetConfig, null, 2)}\n`);
  link(join('..', '..', 'blobs', configBlob), join(folder, 'snapshots', commit, 'config.json'));
  api.plain('config.json: 0.00B [00:00, ?B/s]\rconfig.json: 2.93kB [00:00, 6.71MB/s]');
  api.plain(
    'tokenizer.json:   0%|          | 0.00/12.8M [00:00<?, ?B/s]\rtokenizer.json: 100%|██████████| 12.8M/12.8M [00:00<00:00, 58.1MB/s]',
  );
}

/** Four MiB of each of the first files arrive; then nothing more, for ever. A signal ends the server. */
export async function download(server) {
  const { workers, args } = server;
  const blobs = join(repository(args.model), 'blobs');
  workers[0].plain(
    'Warning: You are sending unauthenticated requests to the HF Hub. Please set a HF_TOKEN to enable higher rate limits and faster downloads.',
  );
  const files = Array.from({ length: parallel }, (_, at) => join(blobs, `${String(at).repeat(64)}.incomplete`));
  for (const file of files) writeFileSync(file, '');
  let come = 0;
  const act = (share) => {
    const due = Math.round(share * filesMib * 2 ** 20);
    for (const file of files) appendFileSync(file, Buffer.alloc(due - come, 1));
    come = due;
  };
  await keepSilence(server, { seconds: flowSeconds, least: leastSeconds, act });
  await server.pace.never();
}

function repository(id) {
  const cache =
    process.env.HF_HUB_CACHE ?? join(process.env.HF_HOME ?? join(homedir(), '.cache', 'huggingface'), 'hub');
  return join(cache, `models--${id.replaceAll('/', '--')}`);
}

/** What an earlier start left stays. */
function link(target, path) {
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
