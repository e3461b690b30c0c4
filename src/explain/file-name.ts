/** Names of files that are no UTF-8, as old systems and archives leave them. */

import { readdir } from 'node:fs/promises';

/** What Node puts in the place of bytes that are no UTF-8, in the arguments of a command as well. */
const LOST = '\ufffd';

/** An absolute path, with the bytes that its names have on disk; as it is where no such file is there, or more than one. */
export async function pathOnDisk(path: string): Promise<string | Buffer> {
  if (!path.includes(LOST)) return path;
  let found = Buffer.from('/');
  for (const name of path.split('/').filter((part) => part !== '')) {
    const bytes = name.includes(LOST) ? await nameOnDisk(found, name) : Buffer.from(name);
    if (bytes === null) return path;
    found = Buffer.concat([found, bytes, Buffer.from('/')]);
  }
  return found.subarray(0, -1);
}

async function nameOnDisk(folder: Buffer, name: string): Promise<Buffer | null> {
  const names = await readdir(folder, { encoding: 'buffer' });
  const [only = null, ...others] = names.filter((bytes) => bytes.toString() === name);
  return others.length === 0 ? only : null;
}
