import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Budgets } from '../../src/budgets.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';

const MINUTE = 60_000;
let now: number;
let instance: string;
let store: Store;
let budgets: Budgets;

const open = (): Store =>
  openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance, { now: () => now });

beforeEach(() => {
  now = 1_900_000_000_000;
  instance = freshPrefix();
  store = open();
  ({ budgets } = store);
});

afterEach(() => store.close());

type Ask = () => Promise<number>;

/** Asks again as it is told to until it is given; when that is, since the start of the test. */
function asker(ask: Ask): { readonly ask: Ask; due: number; takenAt: number | null } {
  return { ask, due: now, takenAt: null };
}

/** All askers, each asking exactly when it was told to. */
async function play(askers: readonly ReturnType<typeof asker>[], end: number): Promise<void> {
  while (askers.some(({ takenAt }) => takenAt === null)) {
    const waiting = askers.filter(({ takenAt }) => takenAt === null);
    now = Math.max(now, Math.min(...waiting.map(({ due }) => due)));
    if (now > end) return;
    for (const one of waiting) {
      if (one.due > now) continue;
      const wait = await one.ask();
      if (wait === 0) one.takenAt = now;
      else one.due = now + wait;
    }
  }
}

/** The most that lie within any such time. */
function most(times: readonly number[], within: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + within).length));
}

describe('edits', () => {
  test('are given to 40 chatty cards in turn, never more than 34 a minute nor 6 in ten seconds', async () => {
    const start = now;
    const times: number[] = [];
    const counts = new Map<string, number>();
    const cards = Array.from({ length: 40 }, (_, i) => ({ name: `run-${i}`, due: now }));
    while (now < start + 5 * MINUTE) {
      now = Math.min(...cards.map(({ due }) => due));
      for (const card of cards) {
        if (card.due > now) continue;
        const wait = await budgets.edit(card.name, false);
        card.due = now + (wait === 0 ? 10_000 : wait);
        if (wait > 0) continue;
        times.push(now);
        counts.set(card.name, (counts.get(card.name) ?? 0) + 1);
      }
    }
    expect(most(times, MINUTE)).toBeLessThanOrEqual(34);
    expect(most(times, 10_000)).toBeLessThanOrEqual(6);
    expect(times.length).toBeGreaterThan(5 * 33);
    const each = [...counts.values()];
    expect(each).toHaveLength(40);
    expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
  });

  test('go to an end at once, whoever waits', async () => {
    const cards = Array.from({ length: 40 }, (_, i) => asker(() => budgets.edit(`run-${i}`, false)));
    await play(cards, now + 30_000);
    expect(cards.some(({ takenAt }) => takenAt === null)).toBe(true);
    expect(await budgets.edit('run-39', true)).toBe(0);
  });

  test('of many ends at once stay within 40 a minute, and all come before what is not urgent', async () => {
    const start = now;
    const plain = asker(() => budgets.edit('chatty', false));
    const ends = Array.from({ length: 50 }, (_, i) => asker(() => budgets.edit(`end-${i}`, true)));
    await play([...ends, plain], now + 10 * MINUTE);
    const times = ends.map(({ takenAt }) => takenAt ?? Number.POSITIVE_INFINITY);
    expect(most([...times, plain.takenAt ?? 0], MINUTE)).toBeLessThanOrEqual(40);
    expect(times.filter((at) => at === start)).toHaveLength(40);
    expect(Math.max(...times)).toBeLessThanOrEqual(start + MINUTE);
    expect(plain.takenAt).toBeGreaterThanOrEqual(Math.max(...times));
  });

  test('are served in the order in which they were asked for', async () => {
    for (let i = 0; i < 6; i++) {
      expect(await budgets.edit(`first-${i}`, false)).toBe(0);
      now += 1_000;
    }
    const [b, a, c] = ['b', 'a', 'c'].map((name) => asker(() => budgets.edit(name, false)));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three ask');
    for (const one of [b, a, c]) {
      one.due = now + (await one.ask());
      now += 1;
    }
    await play([c, a, b], now + MINUTE);
    expect(b.takenAt ?? 0).toBeLessThan(a.takenAt ?? 0);
    expect(a.takenAt ?? 0).toBeLessThan(c.takenAt ?? 0);
  });

  test('don’t wait for a card that no longer asks', async () => {
    for (let i = 0; i < 34; i++) {
      expect(await budgets.edit(`first-${i}`, false)).toBe(0);
      now += 1_700;
    }
    expect(await budgets.edit('gone', false)).toBeGreaterThan(0);
    expect(await budgets.edit('next', false)).toBeGreaterThan(0);
    now += 10_001;
    expect(await budgets.edit('next', false)).toBe(0);
  });

  test('rest after a 429, ends too, and a shorter rest does not end a longer one', async () => {
    await budgets.rest('edit', 30_000);
    await budgets.rest('edit', 1_000);
    expect(await budgets.edit('run', true)).toBe(5_000);
    now += 29_000;
    expect(await budgets.edit('run', true)).toBe(1_000);
    now += 1_000;
    expect(await budgets.edit('run', true)).toBe(0);
    expect(await budgets.post('C0A', false, 'run')).toBe(0);
  });
});

describe('a clock that is set back by an hour', () => {
  const HOUR = 60 * MINUTE;

  test('holds up no edit and no message for longer than a minute', async () => {
    for (let i = 0; i < 40; i++) expect(await budgets.edit(`end-${i}`, true)).toBe(0);
    for (let i = 0; i < 3; i++) expect(await budgets.post('C0A', true, `run-${i}`)).toBe(0);
    now -= HOUR;
    const asking = [asker(() => budgets.edit('next', true)), asker(() => budgets.post('C0A', true, 'next'))];
    await play(asking, now + MINUTE);
    expect(asking.map(({ takenAt }) => takenAt)).not.toContain(null);
  });

  test('leaves nobody in front who has not asked since', async () => {
    for (let i = 0; i < 6; i++) expect(await budgets.edit(`first-${i}`, false)).toBe(0);
    for (let i = 0; i < 40; i++) expect(await budgets.edit(`gone-${i}`, false)).toBeGreaterThan(0);
    now -= HOUR;
    const next = asker(() => budgets.edit('next', false));
    await play([next], now + 15_000);
    expect(next.takenAt).not.toBeNull();
  });

  test('ends a rest', async () => {
    await budgets.rest('edit', 30_000);
    now -= HOUR;
    expect(await budgets.edit('next', true)).toBe(0);
    await budgets.rest('edit', 30_000);
    expect(await budgets.edit('next', true)).toBe(5_000);
  });
});

describe('a rest', () => {
  test('is no longer than five minutes, whatever Slack asks for: an end is not silenced', async () => {
    await budgets.rest('edit', 24 * 60 * MINUTE);
    now += 5 * MINUTE - 1;
    expect(await budgets.edit('end', true)).toBe(1);
    now += 1;
    expect(await budgets.edit('end', true)).toBe(0);
  });

  test('is at least two seconds: nobody asks again and again', async () => {
    await budgets.rest({ post: 'C0A' }, 0);
    expect(await budgets.post('C0A', true, 'end')).toBe(2_000);
  });
});

describe('messages', () => {
  test('come one a second to a channel, three at once at first', async () => {
    const start = now;
    const all = Array.from({ length: 10 }, (_, i) => asker(() => budgets.post('C0A', false, `run-${i}`)));
    await play(all, now + MINUTE);
    const times = all.map(({ takenAt }) => (takenAt ?? 0) - start);
    expect(times.slice(0, 3)).toEqual([0, 0, 0]);
    expect(most(times, 3_000)).toBeLessThanOrEqual(3);
    expect(most(times, 5_000)).toBeLessThanOrEqual(5);
    expect(Math.max(...times)).toBeLessThanOrEqual(9_000);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('of one channel don’t hold up another’s, and a rest is the channel’s own', async () => {
    await budgets.rest({ post: 'C0A' }, 20_000);
    expect(await budgets.post('C0A', true, 'run')).toBe(5_000);
    expect(await budgets.post('C0B', false, 'run')).toBe(0);
  });

  test('that are urgent come first', async () => {
    for (let i = 0; i < 3; i++) await budgets.post('C0A', false, `run-${i}`);
    const plain = Array.from({ length: 5 }, (_, i) => asker(() => budgets.post('C0A', false, `plain-${i}`)));
    for (const one of plain) one.due = now + (await one.ask());
    const end = asker(() => budgets.post('C0A', true, 'end'));
    await play([end, ...plain], now + MINUTE);
    expect(end.takenAt).toBeLessThan(Math.min(...plain.map(({ takenAt }) => takenAt ?? 0)) + 1);
  });

  test('of all channels together are 200 a minute at most, the last 20 for what is urgent', async () => {
    let given = 0;
    for (let i = 0; i < 250; i++) if ((await budgets.post(`C${i}`, false, 'run')) === 0) given += 1;
    expect(given).toBe(180);
    for (let i = 0; i < 50; i++) if ((await budgets.post(`D${i}`, true, 'run')) === 0) given += 1;
    expect(given).toBe(200);
  });
});

test('all processes share one budget, and another Vigil has its own', async () => {
  const other = open();
  for (let i = 0; i < 6; i++) expect(await (i % 2 === 0 ? budgets : other.budgets).edit(`run-${i}`, false)).toBe(0);
  expect(await other.budgets.edit('run-7', false)).toBeGreaterThan(0);
  await other.close();
  instance = freshPrefix();
  const stranger = open();
  expect(await stranger.budgets.edit('run-7', false)).toBe(0);
  await stranger.close();
});

test('without a clock of its own Redis’s counts', async () => {
  const real = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
  for (let i = 0; i < 6; i++) expect(await real.budgets.edit(`run-${i}`, false)).toBe(0);
  const wait = await real.budgets.edit('late', false);
  expect(wait).toBeGreaterThan(4_000);
  expect(wait).toBeLessThanOrEqual(5_000);
  await real.close();
});
