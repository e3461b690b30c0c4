/** Unpacks gzip as it is read. */

import { createGunzip } from 'node:zlib';

/** Fed so little at a time, since 1 KB may hold a megabyte. */
const FED_BYTES = 16 * 1024;
/** Of a broken file so much before the break may be lost. */
const TAKEN_BYTES = 16 * 1024;
/** Given on together: a reader does some work for each piece. */
const GIVEN_BYTES = 128 * 1024;

/**
 * The text of all members. Of a file that ends too early or is broken all that could be unpacked is given, and `onCut` told why.
 * NULs behind the last member are passed over, as gzip does.
 */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  onCut: (why: string) => void,
): AsyncGenerator<Uint8Array> {
  const engine = createGunzip({ chunkSize: TAKEN_BYTES });
  const out: Uint8Array[] = [];
  let failure: Error | null = null;
  const closed = new Promise<void>((done) => engine.once('close', done));
  engine.on('data', (bytes: Uint8Array) => out.push(bytes));
  engine.on('error', (error) => {
    failure = error;
  });
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length && failure === null; at += FED_BYTES) {
        const part = chunk.subarray(at, at + FED_BYTES);
        await Promise.race([closed, new Promise<void>((done) => engine.write(part, () => done()))]);
        if (out.length * TAKEN_BYTES >= GIVEN_BYTES) yield Buffer.concat(out.splice(0));
      }
      if (failure !== null) break;
    }
    engine.end();
    await closed;
    yield Buffer.concat(out.splice(0));
  } finally {
    engine.destroy();
  }
  if (failure !== null) onCut(reasonOf(failure));
}

function reasonOf({ message }: Error): string {
  return message === 'unexpected end of file'
    ? 'the gzip file ends too early'
    : `the gzip file is broken (${message}): nothing behind the break is read, and some lines before it may be lost`;
}
