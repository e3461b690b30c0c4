import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keep } from '../../jobs/keep.ts';
import { observe } from '../../src/flow/write.ts';
import { NOWHERE } from '../../src/journal.ts';
import type { Tools } from '../../src/processor.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { newRun } from '../../src/run/step.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { sampleRun } from '../report/sample-run.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const DAY = 86_400_000;
const clock = { now: () => Date.now() };
let store: Store;
let tools: Tools;

beforeEach(() => {
  const config = { ...sampleConfig(), instance: freshPrefix(), hosts: {} };
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  const hosts = {
    get: () => {
      throw new Error('no host has a part in it');
    },
    close: async () => {},
  };
  const own = { hosts, chat: new FakeChat(), config, clock, timings: PRODUCTION, log: pino({ level: 'silent' }) };
  tools = { ...store, ...own };
});

afterEach(() => store.close());

const look = () => keep('', tools, new AbortController().signal);

/** A run that was refused so many days ago, of which everything is told. */
async function refused(name: string, daysAgo: number): Promise<void> {
  const at = Date.now() - daysAgo * DAY;
  await store.journal.adopt(newRun({ ...sampleRun({}).request, id: name, name, at }), NOWHERE, null);
  await observe(store.journal, name, () => [{ kind: 'refused', reason: 'no', at, seen: at }]);
  await store.redis.del(store.keys.dirty);
}

const kept = async () => {
  const question = { kind: 'serve', hosts: ['kpro5'], of: null, most: 15 } as const;
  return (await store.archive.list(question)).entries.map(({ name }) => name);
};

test('the keeper takes into the history what ended before there was one', async () => {
  await refused('kpro5-1', 1);
  await store.redis.del(store.keys.archive, store.keys.archiveIndex);
  await look();
  expect(await kept()).toEqual(['kpro5-1']);
});

test('the keeper removes what is too old, once an hour', async () => {
  await refused('kpro5-1', 91);
  await look();
  expect(await store.journal.load('kpro5-1')).toBeNull();
  await refused('kpro5-2', 401);
  await look();
  expect(await store.journal.load('kpro5-2')).not.toBeNull();
  expect(await store.redis.pttl(store.keys.pruned)).toBeGreaterThan(3_000_000);
  await store.redis.del(store.keys.pruned);
  await look();
  expect(await kept()).toEqual(['kpro5-1']);
});
