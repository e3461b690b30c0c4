import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send, spawnBound } from '../bound.ts';
import { whenReady } from './ready.ts';
import { type PrivateRedis, settings } from './server.ts';

/** The longest path of a socket that Linux (107 bytes) and macOS (103) take. */
const SOCKET_PATH_LIMIT = 103;

/** A redis-server on a unix socket in a folder of its own, or in the one whose data is to be kept. */
export async function startLocally(server: string, kept: string | null): Promise<PrivateRedis> {
  const folder = kept ?? temporaryFolder();
  const socket = join(folder, 'redis.sock');
  if (!isShort(socket))
    throw new Error(`${socket} is longer than a socket's ${SOCKET_PATH_LIMIT} bytes; choose a shorter folder`);
  const place = ['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700', '--dir', folder];
  const child = spawnBound([server, ...place, ...settings({ keepsData: kept !== null })], {
    whenGone: kept ? [] : ['rm', '-rf', folder],
  });
  const stop = async () => {
    await send(child, 'SIGKILL');
    if (!kept) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await whenReady({ child, address: { path: socket }, limit: 10_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: socket, stop, signal: (name) => send(child, name) };
}

/** In the system's temporary folder, unless that is too long for a socket's path. */
function temporaryFolder(): string {
  const name = 'vigil-redis-';
  const parent = isShort(join(tmpdir(), `${name}XXXXXX`, 'redis.sock')) ? tmpdir() : '/tmp';
  return mkdtempSync(join(parent, name));
}

function isShort(path: string): boolean {
  return Buffer.byteLength(path) <= SOCKET_PATH_LIMIT;
}
