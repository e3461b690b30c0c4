import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/queue/store.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';

let store: Store;
beforeEach(() => {
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), freshPrefix());
});
afterEach(() => store.close());

const record = (run: string, at: number, ms = 5) => ({
  ...{ run, at },
  phases: [{ phase: 'loading' as const, ms, silentMs: 1 }],
});

test('a recipe’s starts on a host are remembered, newest first, and no other’s', async () => {
  const { history } = store;
  expect(await history.read('kpro5', 'dflash')).toEqual([]);
  await history.note('kpro5', 'dflash', record('a', 1));
  await history.note('kpro5', 'dflash', record('b', 3));
  await history.note('kpro5', 'dflash', record('c', 2));
  await history.note('kpro6', 'dflash', record('d', 4));
  await history.note('kpro5', 'other', record('e', 5));
  expect((await history.read('kpro5', 'dflash')).map(({ run }) => run)).toEqual(['b', 'c', 'a']);
});

test('a run that is noted again counts once, as it was noted last', async () => {
  const { history } = store;
  await Promise.all([1, 1, 1].map((at) => history.note('kpro5', 'dflash', record('a', at))));
  await history.note('kpro5', 'dflash', record('a', 2, 7));
  expect(await history.read('kpro5', 'dflash')).toEqual([record('a', 2, 7)]);
});

test('the newest 20 are kept', async () => {
  const { history, redis, keys } = store;
  for (let at = 1; at <= 25; at += 1) await history.note('kpro5', 'dflash', record(`r${at}`, at));
  const kept = await history.read('kpro5', 'dflash');
  expect([kept.length, kept[0]?.run, kept.at(-1)?.run]).toEqual([20, 'r25', 'r6']);
  expect(await redis.hlen(keys.pace('kpro5', 'dflash'))).toBe(20);
  await history.note('kpro5', 'dflash', record('late', 2));
  expect((await history.read('kpro5', 'dflash')).map(({ run }) => run)).not.toContain('late');
});

test('what another version has written is passed over, and goes with the next note', async () => {
  const { history, redis, keys } = store;
  const phases = [{ phase: 'warming_up', ms: 1, silentMs: 1 }];
  await redis.hset(keys.pace('kpro5', 'dflash'), 'old', '{', 'new', JSON.stringify({ ...record('new', 9), phases }));
  expect(await history.read('kpro5', 'dflash')).toEqual([]);
  await history.note('kpro5', 'dflash', record('a', 1));
  expect(await redis.hkeys(keys.pace('kpro5', 'dflash'))).toEqual(['a']);
});
