import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, expect, test, vi } from 'vitest';
import { startInDocker } from '../../rehearsal/redis/docker.ts';
import { startPrivateRedis, startRedis } from '../../rehearsal/redis.ts';
import { findRedisServer } from '../../scripts/prepare/find.mjs';

const releases: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function ask(url: string, ...words: [string, ...string[]]): Promise<unknown> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => {}); // told by the call's own rejection
  try {
    return await client.call(...words);
  } finally {
    client.disconnect();
  }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'vigil-kept-'));
  releases.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('REDIS_URL is taken as it is, and not stopped', async () => {
  const redis = await startRedis({ REDIS_URL: 'redis://redis.example:6379/2' });
  expect(redis.url).toBe('redis://redis.example:6379/2');
  await redis.stop();
});

test('a private Redis listens on no port, evicts nothing, and leaves nothing behind', async () => {
  const redis = await startPrivateRedis();
  releases.push(() => redis.stop());
  expect(await ask(redis.url, 'CONFIG', 'GET', 'port')).toEqual(['port', '0']);
  expect(await ask(redis.url, 'CONFIG', 'GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  await redis.stop();
  await redis.stop();
  expect(existsSync(dirname(redis.url))).toBe(false);
});

test('a private Redis ends with the process that started it, even by kill -9', async () => {
  const script = `import { startPrivateRedis } from './rehearsal/redis.ts'; console.log((await startPrivateRedis()).url); setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio: 'pipe' });
  releases.push(() => owner.kill('SIGKILL'));
  const [line] = await once(owner.stdout, 'data');
  const url = String(line).trim();
  const pid = Number(/process_id:(\d+)/.exec(String(await ask(url, 'INFO', 'server')))?.[1]);
  owner.kill('SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 10_000 });
  await vi.waitFor(() => expect(existsSync(dirname(url))).toBe(false), { timeout: 10_000 });
});

test('on a kept folder a killed Redis comes back with its URL and its data', async () => {
  const kept = folder();
  const first = await startPrivateRedis({ folder: kept });
  releases.push(() => first.stop());
  await ask(first.url, 'CONFIG', 'SET', 'appendfsync', 'always');
  await ask(first.url, 'SET', 'word', 'kept');
  await first.signal('SIGKILL');
  await expect(ask(first.url, 'PING')).rejects.toThrow();
  const second = await startPrivateRedis({ folder: kept });
  releases.push(() => second.stop());
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, 'GET', 'word')).toBe('kept');
});

/** Runs what a container would run: a Redis on the asked port, known by the asked name. */
function fakeDocker(place: string): string {
  const path = join(place, 'docker');
  const script = `#!/bin/sh
cd '${place}' || exit 1
case $1 in
run)
  shift
  while [ "$1" != redis:7 ]; do
    case $1 in --name) echo $$ > "$2" ;; 127.0.0.1:*) port=\${1#127.0.0.1:} port=\${port%:6379} ;; esac
    shift
  done
  shift 2
  exec '${findRedisServer()}' --bind 127.0.0.1 --port "$port" "$@" ;;
kill)
  if [ "$2" = --signal ]; then kill -s "\${3#SIG}" "$(cat "$4")"; else kill -KILL "$(cat "$2")"; fi ;;
esac
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

test('in Docker it listens on a loopback port, and is ended by its container name', async () => {
  const redis = await startInDocker(fakeDocker(folder()), null);
  releases.push(() => redis.stop());
  expect(redis.url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+$/);
  expect(await ask(redis.url, 'CONFIG', 'GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  await redis.stop();
  await expect(ask(redis.url, 'PING')).rejects.toThrow();
});
