import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { observe } from '../../src/flow/write.ts';
import { troubleOf } from '../../src/history/trouble.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Observation } from '../../src/run/observe.ts';
import { newRun } from '../../src/run/step.ts';
import { OOM, sampleRun } from '../report/sample-run.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';

const DAY = 86_400_000;
const now = Date.now();
let store: Store;

beforeEach(() => {
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), freshPrefix());
});

afterEach(async () => {
  await store.close();
});

const HOSTS = ['kpro5', 'kpro6'];
const ALL = { kind: 'serve', hosts: HOSTS, of: null, most: 15 } as const;

/** A run on a host, as it is when it was just asked for; its id is its name. */
async function begin(name: string, changes: { recipe?: string } = {}): Promise<void> {
  const request = {
    ...sampleRun({}).request,
    id: name,
    name,
    host: name.split('-')[0] ?? '',
    at: now - DAY,
    ...changes,
  };
  expect(await store.journal.adopt({ ...newRun(request) }, 'C0OPS', null)).toBe(true);
}

/** Its process ended with that code, `daysAgo`. */
async function end(name: string, code: number, daysAgo = 0): Promise<void> {
  const at = now - daysAgo * DAY;
  const exited: Observation = { kind: 'exited', exit: { code, signal: null, at }, tail: [], at, seen: at };
  await observe(store.journal, name, () => [exited]);
  await store.redis.zadd(store.keys.ended, at, name);
}

/** Slack has all of it, in a thread. */
async function tell(name: string): Promise<void> {
  const fence = await store.outbox.take(name);
  const draft = await store.outbox.read(name);
  if (draft === null) throw new Error('nothing to tell');
  await store.outbox.delivered(name, fence, draft.entry.seq, { channel: 'C0OPS', ts: `${name}.1` });
  await store.outbox.carded(name, fence, draft.entry.rev, null);
  expect(await store.outbox.settle(name, fence)).toBe('settled');
}

async function trouble(name: string): Promise<string> {
  const run = (await store.journal.load(name))?.run;
  return (run === undefined ? null : troubleOf(run)) ?? '';
}

const namesIn = async (question: Partial<Parameters<Store['archive']['list']>[0]> = {}) =>
  (await store.archive.list({ ...ALL, ...question })).entries.map(({ name }) => name);

/** As a Vigil left it that kept no history. */
async function forgetHistory(): Promise<void> {
  const { archive, archiveIndex, archiveThreads } = store.keys;
  await store.redis.del(archive, archiveIndex, archiveThreads);
}

describe('the archive', () => {
  test('has a run in the step that ends it, and not before', async () => {
    await begin('kpro5-1');
    expect(await namesIn()).toEqual([]);
    await end('kpro5-1', 1);
    expect(await store.archive.list(ALL)).toMatchObject({
      total: 1,
      recipes: ['dflash'],
      entries: [{ name: 'kpro5-1', end: 'failed', endedAt: now, exit: { code: 1, signal: null }, thread: null }],
    });
  });

  test('lists the newest first, of a host or a recipe, whatever its capitals, and counts the others', async () => {
    for (const [name, recipe, ago] of [
      ['kpro5-1', 'dflash', 3],
      ['kpro6-1', 'DFlash', 2],
      ['kpro5-2', 'plain', 1],
    ] as const) {
      await begin(name, { recipe });
      await end(name, 1, ago);
    }
    expect(await namesIn()).toEqual(['kpro5-2', 'kpro6-1', 'kpro5-1']);
    expect(await namesIn({ of: 'KPRO5' })).toEqual(['kpro5-2', 'kpro5-1']);
    expect(await namesIn({ of: 'dflash' })).toEqual(['kpro6-1', 'kpro5-1']);
    expect(await namesIn({ hosts: ['kpro6'] })).toEqual(['kpro6-1']);
    expect(await namesIn({ kind: 'train' })).toEqual([]);
    expect(await store.archive.list({ ...ALL, most: 1 })).toMatchObject({ total: 3, entries: [{ name: 'kpro5-2' }] });
  });

  test('knows a run by its name and by its id, and its thread as soon as it stands', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1);
    await tell('kpro5-1');
    expect(await store.archive.find('KPRO5-1')).toMatchObject({ run: 'kpro5-1', thread: { ts: 'kpro5-1.1' } });
    expect(await store.archive.find('kpro5-9')).toBeNull();
  });

  test('keeps what was written first when something follows the end', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 2);
    const as = { run: 'r2', name: 'kpro5-2' };
    await observe(store.journal, 'kpro5-1', () => [{ kind: 'restarted', as, at: now, seen: now }]);
    expect((await store.archive.list(ALL)).entries).toMatchObject([{ name: 'kpro5-1', endedAt: now - 2 * DAY }]);
  });

  test('passes over what it cannot read', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1);
    const { archive, archiveIndex } = store.keys;
    const member = JSON.stringify(['x', 'kpro5-8', 'serve', 'kpro5', 'dflash', null]);
    await store.redis.zadd(archiveIndex, now, 'not JSON', now, '[1]', now, member);
    await store.redis.hset(archive, 'x', JSON.stringify({ version: 2 }));
    expect(await namesIn()).toEqual(['kpro5-1']);
  });
});

describe('a trouble', () => {
  test('was seen before in the newest run that ended with it earlier', async () => {
    for (const [name, code, ago] of [
      ['kpro5-1', 1, 9],
      ['kpro6-1', 1, 5],
      ['kpro5-2', 7, 4],
      ['kpro5-3', 1, 1],
    ] as const) {
      await begin(name);
      await end(name, code, ago);
    }
    await tell('kpro6-1');
    const fingerprint = await trouble('kpro5-3');
    const earlier = {
      name: 'kpro6-1',
      host: 'kpro6',
      at: now - 5 * DAY,
      thread: { channel: 'C0OPS', ts: 'kpro6-1.1' },
    };
    expect(await store.archive.seen(fingerprint, 'kpro5-3', HOSTS)).toEqual({ earlier, note: null });
    expect(await store.archive.seen(fingerprint, 'kpro6-1', HOSTS)).toMatchObject({ earlier: { name: 'kpro5-1' } });
    expect(await store.archive.seen(fingerprint, 'kpro5-1', HOSTS)).toEqual({ earlier: null, note: null });
    await begin('kpro5-4');
    expect(await store.archive.seen(fingerprint, 'kpro5-4', HOSTS)).toMatchObject({ earlier: { name: 'kpro5-3' } });
  });

  test('names no run of another host than those asked for, however many ended there since, and none that is gone', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 30);
    for (let index = 1; index <= 12; index++) {
      await begin(`kpro6-${index}`);
      await end(`kpro6-${index}`, 1, 20 - index);
    }
    await begin('kpro5-2');
    await end('kpro5-2', 1);
    const fingerprint = await trouble('kpro5-2');
    await store.redis.zadd(store.keys.trouble(fingerprint), now - DAY, 'gone');
    expect(await store.archive.seen(fingerprint, 'kpro5-2', ['kpro5'])).toMatchObject({ earlier: { name: 'kpro5-1' } });
    expect(await store.archive.seen(fingerprint, 'kpro5-2', HOSTS)).toMatchObject({ earlier: { name: 'kpro6-12' } });
    expect(await store.archive.seen(fingerprint, 'kpro5-2', [])).toMatchObject({ earlier: null });
  });

  test('of a run that was restarted was seen in the one whose place it took', async () => {
    await begin('kpro5-3');
    await end('kpro5-3', 1);
    const as = { run: 'kpro5-4', name: 'kpro5-4' };
    await observe(store.journal, 'kpro5-3', () => [{ kind: 'restarted', as, at: now + DAY, seen: now + DAY }]);
    await begin('kpro5-4');
    await end('kpro5-4', 1, -0.5);
    const fingerprint = await trouble('kpro5-4');
    expect(await store.archive.seen(fingerprint, 'kpro5-4', HOSTS)).toMatchObject({ earlier: { name: 'kpro5-3' } });
    expect(await store.archive.seen(fingerprint, 'kpro5-3', HOSTS)).toMatchObject({ earlier: null });
  });

  test('has one note, and a new one returns the former', async () => {
    const note = { text: "Don't use --enforce-eager", by: 'U0ALICE', at: now };
    expect(await store.archive.note('0123456789ab', note, 'kpro5-1')).toBeNull();
    expect(await store.archive.note('0123456789ab', { ...note, text: 'b' }, 'kpro5-1')).toEqual(note);
    expect(await store.archive.seen('0123456789ab', 'x', HOSTS)).toMatchObject({ earlier: null, note: { text: 'b' } });
    expect(await store.archive.seen('ffffffffffff', 'x', HOSTS)).toEqual({ earlier: null, note: null });
  });

  test('that gets a note has the cards of the newest five runs with it written anew, that of the run itself among them', async () => {
    const names = ['kpro5-1', 'kpro5-2', 'kpro5-3', 'kpro5-4', 'kpro5-5', 'kpro5-6', 'kpro5-7'];
    for (const [index, name] of names.entries()) {
      await begin(name);
      await end(name, index === 2 ? 7 : 1, 10 - index);
      await tell(name);
    }
    await store.archive.note(await trouble('kpro5-1'), { text: 'a', by: 'U0ALICE', at: now }, 'kpro5-1');
    const shown = ['kpro5-1', 'kpro5-4', 'kpro5-5', 'kpro5-6', 'kpro5-7'];
    expect([...(await store.journal.dirty())].sort()).toEqual(shown);
    expect((await store.outbox.read('kpro5-7'))?.cardRev).toBeLessThan((await store.journal.load('kpro5-7'))?.rev ?? 0);
    await tell('kpro5-7');
  });

  test('that a live run has is noted on its card, too', async () => {
    const cause = { ...sampleRun({}), vitals: { death: { at: 1, how: 'health', cause: null } } };
    await begin('kpro5-1');
    await begin('kpro5-2');
    await tell('kpro5-1');
    await tell('kpro5-2');
    const run = { ...cause, request: { ...cause.request, id: 'kpro5-1', name: 'kpro5-1' }, phase: 'ready' };
    await store.redis.hset(store.keys.run('kpro5-1'), 'run', JSON.stringify(run));
    await store.archive.note(await trouble('kpro5-1'), { text: 'a', by: 'U0ALICE', at: now }, 'kpro6-1');
    expect(await store.journal.dirty()).toEqual(['kpro5-1']);
  });

  test('keeps its note while a thousand newer ones come, not longer', async () => {
    const note = { text: 'a', by: 'U0ALICE' };
    for (let at = 1; at <= 1001; at++) await store.archive.note(String(at), { ...note, at }, '');
    expect((await store.archive.seen('1', 'x', HOSTS)).note).toBeNull();
    expect((await store.archive.seen('2', 'x', HOSTS)).note).not.toBeNull();
    expect(await store.redis.hlen(store.keys.teamNotes)).toBe(1000);
  });
});

describe('runs of a Vigil that kept no history', () => {
  test('are taken in from what is saved of them, with the time of their end, and once', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 3);
    await tell('kpro5-1');
    await forgetHistory();
    expect(await store.archive.catchUp()).toBe(1);
    expect((await store.archive.list(ALL)).entries).toMatchObject([
      { name: 'kpro5-1', endedAt: now - 3 * DAY, thread: { ts: 'kpro5-1.1' } },
    ]);
    expect(await store.archive.catchUp()).toBe(0);
  });

  test('are taken in as an older Vigil saved them: without verification, vitals, and the row and name of a cause', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1);
    await forgetHistory();
    const { verification: _, vitals: _vitals, checks: _checks, placement: _placement, ...old } = sampleRun({});
    const { row: _row, why: _why, link: _link, retry: _retry, fingerprint: _fingerprint, ...cause } = OOM;
    const failure = { kind: 'ended', exit: { code: 1, signal: null, at: now }, during: 'loading', cause, tail: [] };
    const run = { ...old, request: { ...old.request, id: 'kpro5-1' }, phase: 'failed', failure };
    await store.redis.hset(store.keys.run('kpro5-1'), 'run', JSON.stringify(run));
    await store.archive.catchUp();
    expect((await store.archive.list(ALL)).entries).toMatchObject([
      { name: 'kpro5-3', outcome: null, devices: ['0', '1'], cause: { row: 'unknown', title: 'CUDA out of memory' } },
    ]);
  });

  test('are passed over where they cannot be read, once', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1);
    await forgetHistory();
    await store.redis.hset(store.keys.run('kpro5-1'), 'run', '{"request":{}}');
    await store.redis.zadd(store.keys.ended, now, 'gone');
    await begin('kpro5-2');
    await end('kpro5-2', 1);
    await store.redis.hdel(store.keys.archive, 'kpro5-2');
    const { reading: _, ...lacking } = sampleRun({ phase: 'failed' });
    await store.redis.hset(store.keys.run('kpro5-2'), 'run', JSON.stringify(lacking));
    await store.redis.del(store.keys.archiveIndex);
    expect(await store.archive.catchUp()).toBe(3);
    expect(await store.archive.catchUp()).toBe(0);
    expect(await namesIn()).toEqual([]);
  });

  test('are not taken in where the history would only forget them again', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 401);
    expect(await store.archive.prune()).toBe(1);
    expect(await store.archive.catchUp()).toBe(0);
    await begin('kpro5-2');
    await end('kpro5-2', 1, 2);
    const newer = Array.from({ length: 5000 }, (_, index) => [now, `["r${index}"]`] as const).flat();
    await store.redis.zadd(store.keys.archiveIndex, ...newer);
    expect(await store.archive.prune()).toBe(1);
    expect(await store.archive.catchUp()).toBe(0);
  });

  test('a few at a time', async () => {
    for (let index = 1; index <= 21; index++) await store.redis.zadd(store.keys.ended, now, `r${index}`);
    expect(await store.archive.catchUp()).toBe(20);
    expect(await store.archive.catchUp()).toBe(1);
  });
});

describe('what is older than the limits', () => {
  test('goes: a run after 90 days, its entry with its thread after 400', async () => {
    for (const [name, ago] of [
      ['kpro5-1', 401],
      ['kpro5-2', 91],
      ['kpro5-3', 89],
    ] as const) {
      await begin(name);
      await end(name, 1, ago);
      await tell(name);
    }
    const fingerprint = await trouble('kpro5-3');
    expect(await store.archive.prune()).toBe(3);
    expect(await store.journal.load('kpro5-2')).toBeNull();
    expect(await store.redis.exists(store.keys.events('kpro5-2'), store.keys.run('kpro5-1'))).toBe(0);
    expect(await store.journal.load('kpro5-3')).not.toBeNull();
    expect(await store.journal.ended()).toEqual(['kpro5-3']);
    expect(await store.redis.hkeys(store.keys.names)).toEqual(['kpro5-3']);
    expect(await store.redis.hvals(store.keys.roots)).toEqual(['kpro5-3']);
    expect((await store.archive.list(ALL)).entries).toMatchObject([
      { name: 'kpro5-3' },
      { name: 'kpro5-2', thread: { channel: 'C0OPS', ts: 'kpro5-2.1' } },
    ]);
    expect(await store.archive.seen(fingerprint, 'kpro5-3', HOSTS)).toMatchObject({ earlier: { name: 'kpro5-2' } });
    expect(await store.redis.zcard(store.keys.trouble(fingerprint))).toBe(2);
    expect(await store.redis.hkeys(store.keys.archiveThreads)).toEqual(['kpro5-2']);
    expect(await store.archive.prune()).toBe(0);
  });

  test('stays while Slack has not been told of it, and while the history lacks it', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 91);
    await begin('kpro5-2');
    await end('kpro5-2', 1, 91);
    await tell('kpro5-2');
    await store.redis.hdel(store.keys.archive, 'kpro5-2');
    expect(await store.archive.prune()).toBe(0);
    await store.archive.catchUp();
    await tell('kpro5-1');
    expect(await store.archive.prune()).toBe(2);
  });

  test('goes, too, where there are more than a thousand runs, and five thousand entries', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 2);
    await tell('kpro5-1');
    const many = Array.from({ length: 1000 }, (_, index) => [now, `r${index}`] as const).flat();
    await store.redis.zadd(store.keys.ended, ...many);
    expect(await store.archive.prune()).toBe(1);
    expect(await store.journal.load('kpro5-1')).toBeNull();
    expect(await namesIn()).toEqual(['kpro5-1']);
    const entries = Array.from({ length: 5000 }, (_, index) => [now, `[${index}]`] as const).flat();
    await store.redis.zadd(store.keys.archiveIndex, ...entries);
    expect(await store.archive.prune()).toBe(1);
    expect(await store.redis.hlen(store.keys.archive)).toBe(0);
    expect(await namesIn()).toEqual([]);
  });

  test('begins above a thousand runs and above five thousand entries, not at that', async () => {
    await begin('kpro5-1');
    await end('kpro5-1', 1, 2);
    await tell('kpro5-1');
    const many = Array.from({ length: 999 }, (_, index) => [now, `r${index}`] as const).flat();
    await store.redis.zadd(store.keys.ended, ...many);
    const entries = Array.from({ length: 4999 }, (_, index) => [now, `["r${index}"]`] as const).flat();
    await store.redis.zadd(store.keys.archiveIndex, ...entries);
    expect(await store.archive.prune()).toBe(0);
    expect(await namesIn()).toEqual(['kpro5-1']);
  });

  test('goes as a whole, too, where another Vigil or nobody knows how to read it', async () => {
    for (const name of ['kpro5-1', 'kpro5-2']) {
      await begin(name);
      await end(name, 1, 401);
      await tell(name);
    }
    await store.redis.del(store.keys.archiveIndex);
    const [at, newer] = [now - 401 * DAY, ['kpro5-1', 'kpro5-1', 'serve', 'kpro5', 'dflash', 'f', 'a new word']];
    await store.redis.zadd(store.keys.archiveIndex, at, JSON.stringify(newer), at, '["kpro5-2",7]', at, 'not JSON');
    const { request } = sampleRun({}, { id: 'kpro5-2', name: 'kpro5-2' });
    await store.redis.hset(store.keys.run('kpro5-2'), 'run', JSON.stringify({ version: 9, request }));
    await store.archive.prune();
    const { archive, archiveIndex, archiveThreads, names, ended } = store.keys;
    expect(await store.redis.exists(archive, archiveIndex, archiveThreads, names, ended)).toBe(0);
  });

  test('goes behind however many that must stay', async () => {
    const old = Array.from({ length: 2000 }, (_, index) => [now - 200 * DAY, `r${index}`] as const).flat();
    await store.redis.zadd(store.keys.ended, ...old);
    await store.redis.sadd(store.keys.dirty, ...Array.from({ length: 2000 }, (_, index) => `r${index}`));
    await begin('kpro5-1');
    await end('kpro5-1', 1, 100);
    await tell('kpro5-1');
    expect(await store.archive.prune()).toBe(1);
  });

  test('goes once where two look for it at once, and nothing else with it', async () => {
    for (let index = 1; index <= 6; index++) {
      await begin(`kpro5-${index}`);
      await end(`kpro5-${index}`, 1, index < 4 ? 401 : 91);
      await tell(`kpro5-${index}`);
    }
    const [one, other] = await Promise.all([store.archive.prune(), store.archive.prune()]);
    expect(one + other).toBeGreaterThanOrEqual(6);
    const threads = (await store.archive.list(ALL)).entries.map(({ name, thread }) => [name, thread?.ts]);
    expect(threads.toSorted()).toEqual(['kpro5-4', 'kpro5-5', 'kpro5-6'].map((name) => [name, `${name}.1`]));
    expect(await store.journal.ended()).toEqual([]);
    expect(await store.redis.keys(`${store.keys.run('')}*`)).toEqual([]);
  });

  test('is looked for once in a while, by whoever comes first', async () => {
    expect(await store.archive.takePruning(60_000)).toBe(true);
    expect(await store.archive.takePruning(60_000)).toBe(false);
  });
});
