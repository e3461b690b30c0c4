import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportHistory } from '../../src/export-history/command.ts';
import { observe } from '../../src/flow/write.ts';
import { openStore } from '../../src/queue/store.ts';
import { newRun } from '../../src/run/step.ts';
import { vigilYaml } from '../config/yaml.ts';
import { sampleRun } from '../report/sample-run.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-history-'));
const file = join(folder, 'vigil.yaml');
const instance = freshPrefix();
const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
const variables = {
  VIGIL_CONFIG: file,
  REDIS_URL: redisUrl().startsWith('/') ? `unix:${redisUrl()}` : redisUrl(),
  HOME: '/home/v',
};

beforeAll(async () => {
  writeFileSync(file, vigilYaml().replace('instance: vigil', `instance: ${instance}`));
  for (const [name, recipe, at] of [
    ['kpro5-2', 'dflash', 2000],
    ['kpro6-1', 'plain', 3000],
    ['kpro5-1', 'plain', 1000],
  ] as const) {
    const host = name.slice(0, 5);
    await store.journal.adopt(newRun({ ...sampleRun({}).request, id: name, name, host, recipe }), 'C0OPS', null);
    await observe(store.journal, name, () => [{ kind: 'refused', reason: 'x'.repeat(400), at, seen: at }]);
  }
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function exported(words: readonly string[], changes: NodeJS.ProcessEnv = {}) {
  let out = '';
  let err = '';
  const code = await exportHistory(
    words,
    { ...variables, ...changes },
    {
      write: async (text) => {
        out += text;
      },
      warn: (text) => {
        err += text;
      },
    },
  );
  const runs = out.startsWith('{')
    ? out
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    : [];
  return { code, out, err, runs };
}

test('every run that ended is one line of JSON, the oldest first', async () => {
  const { code, runs, err } = await exported([]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(runs).toMatchObject([
    { name: 'kpro5-1', version: 1, endedAt: 1000 },
    { name: 'kpro5-2' },
    { name: 'kpro6-1' },
  ]);
});

test('a host, a recipe and a kind leave the others out', async () => {
  expect((await exported(['--host', 'kpro5'])).runs).toMatchObject([{ name: 'kpro5-1' }, { name: 'kpro5-2' }]);
  expect((await exported(['--recipe', 'plain', '--host=kpro6'])).runs).toMatchObject([{ name: 'kpro6-1' }]);
  const none = await exported(['--kind', 'train']);
  expect(none).toMatchObject({ code: 0, out: '', err: `Nothing is kept of such runs of ${instance}.\n` });
});

test('wrong words are told with the usage, and --help prints it', async () => {
  const kind = await exported(['--kind', 'server']);
  expect(kind.code).toBe(2);
  expect(kind.err).toContain('--kind: found "server", expected serve or train\nUsage: npm run --silent history');
  expect((await exported(['kpro5'])).code).toBe(2);
  expect(await exported(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--recipe RECIPE') });
});

test('a Redis that does not answer and a file that is not there are told', async () => {
  const away = await exported([], { REDIS_URL: `unix:${folder}/none` });
  expect(away).toMatchObject({ code: 1, out: '' });
  expect(away.err).toBe(
    `Redis does not answer at ${folder}/none (ENOENT). Start it (docker compose up -d) or correct REDIS_URL.\n`,
  );
  expect(await exported([], { VIGIL_CONFIG: `${folder}/none` })).toMatchObject({ code: 1 });
});

/** A way to the tests' Redis that closes at the first question which holds that word. */
async function closing(word: string): Promise<Server> {
  const server = createServer((client) => {
    const redis = connect(redisUrl());
    client.on('data', (asked) => (asked.includes(word) ? client.destroy() : redis.write(asked)));
    client.on('close', () => redis.destroy());
    redis.on('data', (answer) => client.write(answer));
  });
  await once(server.listen(join(folder, 'closing')), 'listening');
  return server;
}

test('a Redis that goes away while it is read is told, and that what was printed is not all', async () => {
  const server = await closing('hmget');
  const { code, out, err } = await exported([], { REDIS_URL: `unix:${folder}/closing` });
  server.close();
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(
    /^Redis could not be read to the end \(Connection is closed\.\)\. What was printed is not all.*\n$/,
  );
});

test('what this Vigil cannot read is left out and counted', async () => {
  const { archive, archiveIndex } = store.keys;
  await store.redis.zadd(archiveIndex, 9000, '["r9","kpro5-9","serve","kpro5","dflash",null]');
  await store.redis.hset(archive, 'r9', '{"version":2}');
  const { code, runs, err } = await exported([]);
  await store.redis.zrem(archiveIndex, '["r9","kpro5-9","serve","kpro5","dflash",null]');
  expect({ code, count: runs.length }).toEqual({ code: 0, count: 3 });
  expect(err).toBe('One run is left out: another version of Vigil wrote its entry, or it was removed meanwhile.\n');
});

test('who has seen enough may close the pipe', () => {
  const line = `set -o pipefail; node --import tsx src/export-history.ts | true; node --import tsx src/export-history.ts | head -1`;
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { env: { PATH, ...variables }, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'kpro5-1' });
});
