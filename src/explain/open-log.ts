/** Opens what a person named as a log: a file, a pipe, standard input. */

import { type FileHandle, open } from 'node:fs/promises';
import { isatty } from 'node:tty';
import { pathOnDisk } from './file-name.ts';

const CHUNK_BYTES = 256 * 1024;

export interface OpenedLog {
  /** Each is good until the next is asked for: a file's are one buffer, so that memory stays flat. */
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The log's bytes up to the size that it has now, so that a growing one ends; or why it can't be read, as words for people. */
export async function openLog(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<OpenedLog | { readonly error: string }> {
  if (path === '-') return { chunks: stdin, close: () => Promise.resolve() };
  let file: FileHandle | null = null;
  try {
    file = await open(await pathOnDisk(path), 'r');
    return await opened(file, path);
  } catch (error) {
    await file?.close();
    return { error: whyUnreadable(error) };
  }
}

/** Standard input, like a file in one buffer; where it can't be opened as one (a socket), as Node gives it. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  let file: FileHandle;
  try {
    file = await open('/dev/stdin', 'r');
  } catch {
    yield* process.stdin;
    return;
  }
  try {
    yield* chunksOf(file, Number.POSITIVE_INFINITY);
  } finally {
    await file.close();
  }
}

async function opened(file: FileHandle, path: string): Promise<OpenedLog | { readonly error: string }> {
  const found = await file.stat();
  const isDevice = found.isBlockDevice() || found.isCharacterDevice();
  if (found.isDirectory() || (isDevice && !isatty(file.fd) && path !== '/dev/null')) {
    await file.close();
    return { error: found.isDirectory() ? A_FOLDER : 'a device; expected a file, a pipe or - for standard input' };
  }
  // /proc says 0 of files that hold something.
  const end = found.isFile() && found.size > 0 ? found.size : Number.POSITIVE_INFINITY;
  return { chunks: chunksOf(file, end), close: () => file.close() };
}

async function* chunksOf(file: FileHandle, end: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let left = end;
  while (left > 0) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(left, buffer.length));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    left -= bytesRead;
  }
}

const A_FOLDER = 'a folder; expected a log, such as one of the files in it';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check its path',
  ENOTDIR: 'there is no such file: a part of its path is no folder',
  EACCES: 'this user may not read it; try sudo, or ask its owner for read permission',
  EPERM: 'this user may not read it; try sudo, or ask its owner for read permission',
  EISDIR: A_FOLDER,
  ELOOP: 'a chain of symbolic links that leads nowhere; expected a file',
  ENAMETOOLONG: 'the name is too long for a path; put -- before names, and quote what holds blanks',
  EMFILE: 'too many files are open; raise ulimit -n',
  ENXIO: 'a socket or a device without a driver; expected a file or a pipe',
  EIO: 'the disk or the network file system can not read it (EIO); see dmesg -T',
  ESTALE: 'the network file system lost it (ESTALE); open it again by its path',
};

/** What a failed system call means, and what to do. */
export function whyUnreadable(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return REASONS[code] ?? message;
}
