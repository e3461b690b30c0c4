/** The text of a log as UTF-8, whatever the file holds: plain, gzip, or UTF-16 as Windows writes it. Memory stays flat. */

import { contentsOf, HEAD_BYTES } from './contents.ts';
import { gunzip } from './gunzip.ts';

/** The bytes are no log: what they are, and what to do. */
export class NoLog extends Error {
  override readonly name = 'NoLog';
}

/** NULs at the start are passed over: a log that was truncated under its writer begins with them, perhaps with millions. */
export async function* textOf(
  chunks: AsyncIterable<Uint8Array>,
  notice: (what: string) => void,
): AsyncGenerator<Uint8Array> {
  const { head, rest } = await headOf(chunks);
  const contents = contentsOf(head);
  if (contents.kind === 'other') throw new NoLog(`${contents.what}; ${contents.instead}`);
  if (contents.kind === 'gzip') {
    notice('gzip: its text is what was read');
    yield* textOf(gunzip(rest, notice), notice);
    return;
  }
  if (contents.encoding === 'utf-8') yield* withoutHoles(from(rest, contents.mark));
  else {
    notice(`${contents.encoding.toUpperCase()}: its text is what was read`);
    yield* decoded(from(rest, contents.mark), contents.encoding);
  }
}

/** The first bytes behind leading NULs (a copy: a chunk is good until the next is asked for), and a stream that begins with them. */
async function headOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; rest: AsyncIterable<Uint8Array> }> {
  const left = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let nuls = 0;
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await left.next();
    if (next.done === true) break;
    const bytes = length === 0 ? withoutNuls(next.value) : next.value;
    nuls += next.value.length - bytes.length;
    if (bytes.length > 0) first.push(new Uint8Array(bytes));
    length += bytes.length;
  }
  if (length === 0 && nuls > 0) throw new NoLog(`binary: all of its ${nuls} bytes are NUL; expected the text of a log`);
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), rest: joined(first, left) };
}

async function* joined(first: readonly Uint8Array[], left: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await left.next(); next.done !== true; next = await left.next()) yield next.value;
  } finally {
    await left.return?.();
  }
}

function withoutNuls(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? bytes.subarray(bytes.length) : bytes.subarray(start);
}

async function* from(chunks: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<Uint8Array> {
  let left = start;
  for await (const chunk of chunks) {
    const passed = Math.min(left, chunk.length);
    left -= passed;
    if (passed < chunk.length) yield chunk.subarray(passed);
  }
}

/** Those in the middle are holes, too: nothing that a program wrote. */
async function* withoutHoles(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.includes(0) ? chunk.filter((byte) => byte !== 0) : chunk;
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}
