import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { HostUnreachable } from '../../src/errors.ts';
import { cleanAll } from '../../src/flow/clean.ts';
import type { Tools } from '../../src/processor.ts';
import { openStore } from '../../src/queue/store.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startSshd } from '../support/sshd.ts';

const DAY = 86_400_000;
const NEVER = new AbortController().signal;

const instance = freshPrefix();
const sshd = await startSshd();
const config: Config = { ...sampleConfig(), instance, hosts: { kpro5: { ...sshd.host, name: 'kpro5' } } };
const clock = { now: Date.now };
const hosts = openHosts({ ...config, clock });
const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
const runs = join(sshd.host.stateDir, instance, 'kpro5');

afterAll(async () => {
  await hosts.close();
  await store.close();
  await sshd.stop();
});

function makeRun(name: string, daysAgo: number): void {
  mkdirSync(join(runs, name, 'started'), { recursive: true });
  writeFileSync(join(runs, name, 'exit'), `0 ${Date.now() - daysAgo * DAY}\n`);
}

/** What a worker has whose journal shows one run as live. */
function tools(): Tools {
  const journal = { ...store.journal, live: async () => ['live'] };
  const log = pino({ level: 'silent' });
  return { ...store, journal, hosts, chat: new FakeChat(), config, clock, timings: PRODUCTION, log };
}

test('folders of runs that ended long ago go once a day, but none that the journal shows as live', async () => {
  makeRun('live', 31);
  makeRun('old', 31);
  makeRun('recent', 29);
  await cleanAll(tools(), NEVER);
  expect(readdirSync(runs).sort()).toEqual(['live', 'recent']);
  makeRun('later', 31);
  await cleanAll(tools(), NEVER);
  expect(readdirSync(runs).sort()).toEqual(['later', 'live', 'recent']);
  expect(await store.redis.pttl(store.keys.cleaned('kpro5'))).toBeGreaterThan(DAY - 600_000);
  await store.redis.del(store.keys.cleaned('kpro5'));
  await cleanAll(tools(), NEVER);
  expect(readdirSync(runs).sort()).toEqual(['live', 'recent']);
});

test('a host that cannot be asked has its turn the next day', async () => {
  await store.redis.del(store.keys.cleaned('kpro5'));
  const lost = {
    ...hosts,
    get: () => {
      throw new HostUnreachable('kpro5', 'kpro5 does not answer.');
    },
  };
  await cleanAll({ ...tools(), hosts: lost }, NEVER);
  expect(await store.journal.takeCleaning('kpro5', DAY)).toBe(false);
});
