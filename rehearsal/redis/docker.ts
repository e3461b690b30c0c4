import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endOf, isRunning, spawnBound } from '../bound.ts';
import { findFreePort } from '../free-port.ts';
import { whenReady } from './ready.ts';
import { type PrivateRedis, settings } from './server.ts';

const execute = promisify(execFile);

/** The first start pulls the image. */
const PULL_LIMIT = 180_000;

/** A redis:7 container on a loopback port; with a folder whose data is to be kept, its port is kept there as well. */
export async function startInDocker(docker: string, kept: string | null): Promise<PrivateRedis> {
  const name = `vigil-redis-${randomBytes(6).toString('hex')}`;
  const port = kept ? await keptPort(join(kept, 'port')) : await findFreePort();
  const place = ['--rm', '--name', name, '-p', `127.0.0.1:${port}:6379`, ...(kept ? ['-v', `${kept}:/data`] : [])];
  const command = [docker, 'run', ...place, 'redis:7', 'redis-server', ...settings({ keepsData: kept !== null })];
  const child = spawnBound(command, { whenGone: [docker, 'kill', name] });
  const signal = async (sent: string) => {
    if (!isRunning(child)) return;
    const ended = endOf(child, sent);
    await execute(docker, ['kill', '--signal', sent, name]);
    await ended;
  };
  try {
    await whenReady({ child, address: { host: '127.0.0.1', port }, limit: PULL_LIMIT });
  } catch (error) {
    if (isRunning(child)) child.kill('SIGKILL');
    await execute(docker, ['kill', name]).catch(() => {}); // most likely it never ran
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, signal, stop: () => signal('SIGKILL') };
}

async function keptPort(file: string): Promise<number> {
  if (!existsSync(file)) writeFileSync(file, `${await findFreePort()}\n`);
  return Number(readFileSync(file, 'utf8'));
}
