import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/queue/store.ts';
import { stepAll } from '../../src/run/step.ts';
import { askForRun } from '../support/asked-run.ts';

let store: Store;
let id: string;

beforeEach(async () => {
  ({ store, id } = await askForRun());
});

afterEach(async () => {
  await store.close();
});

async function append(change: { version?: number; fence?: number | null; isQuiet?: boolean } = {}) {
  const entry = await store.journal.load(id);
  if (entry === null) throw new Error('the run is not in the journal');
  const seen = change.isQuiet ? ({ kind: 'attempting' } as const) : ({ kind: 'checking' } as const);
  const { run, happened } = stepAll(entry.run, [{ ...seen, at: 2000, seen: 2000 }]);
  const from = { seq: entry.seq, version: change.version ?? entry.version };
  const write = { run, happened, checkpoint: null, tail: null, isNews: false };
  return store.journal.append({ ...write, from, fence: change.fence ?? null });
}

describe('the journal', () => {
  test('appends events with the run and counts on', async () => {
    expect(await append()).toBe('written');
    expect(await store.journal.load(id)).toMatchObject({ seq: 2, run: { phase: 'checking' } });
    const draft = await store.outbox.read(id);
    expect(draft?.events.map((event) => [event.seq, event.kind])).toEqual([
      [1, 'requested'],
      [2, 'checking'],
    ]);
  });

  test('refuses a writer that was overtaken, and one that lost its fence', async () => {
    const old = await store.journal.takeWatch(id);
    expect(await append({ version: 7 })).toBe('stale');
    await store.journal.takeWatch(id);
    expect(await append({ fence: old })).toBe('fenced');
    expect(await append({ fence: old + 1 })).toBe('written');
  });

  test('refuses a writer that was overtaken by a change without an event', async () => {
    const before = await store.journal.load(id);
    expect(await append({ isQuiet: true })).toBe('written');
    expect(await append({ version: before?.version ?? 0 })).toBe('stale');
    expect((await store.journal.load(id))?.run.attempted).toBe(true);
  });

  test('decides the home of a thread once', async () => {
    expect(await Promise.all([store.journal.decideHome(id, 'C0A'), store.journal.decideHome(id, 'C0B')])).toEqual([
      true,
      false,
    ]);
    expect((await store.journal.load(id))?.home).toBe('C0A');
  });
});

describe('the outbox', () => {
  test('keeps a run dirty until Slack has every event and the newest card', async () => {
    const fence = await store.outbox.take(id);
    expect(await store.outbox.settle(id, fence)).toBe('more');
    await store.outbox.delivered(id, fence, 1, { channel: 'C0A', ts: '1.0' });
    expect(await store.outbox.settle(id, fence)).toBe('more');
    await store.outbox.carded(id, fence, 1, null);
    expect(await store.outbox.settle(id, fence)).toBe('settled');
    expect(await store.journal.dirty()).toEqual([]);
    await append();
    expect(await store.journal.dirty()).toEqual([id]);
  });

  test('refuses every write of a reporter that was taken over', async () => {
    const old = await store.outbox.take(id);
    await store.outbox.take(id);
    expect(await store.outbox.intend(id, old, '1', 1)).toBe('fenced');
    expect(await store.outbox.delivered(id, old, 1, null)).toBe('fenced');
    expect(await store.outbox.carded(id, old, 1, null)).toBe('fenced');
    expect(await store.outbox.forgetRoot(id, old, null)).toBe('fenced');
    expect(await store.outbox.settle(id, old)).toBe('fenced');
  });

  test('shows no event that the run it shows has not taken in: another writer may come between the two looks', async () => {
    const stopping = JSON.stringify({ seq: 2, at: 1, seen: 1, kind: 'stopping', by: 'U0BOB' });
    await store.redis.xadd(store.keys.events(id), '2-0', 'event', stopping);
    const draft = await store.outbox.read(id);
    expect(draft?.entry.seq).toBe(1);
    expect(draft?.events.map((event) => event.seq)).toEqual([1]);
  });

  test('shows a successor what may have been posted, and how long ago', async () => {
    const fence = await store.outbox.take(id);
    await store.outbox.intend(id, fence, 'root', 2);
    const draft = await store.outbox.read(id);
    expect(draft?.intent).toMatchObject({ event: 'root', attempt: 2 });
    expect(draft?.intentAge).toBeGreaterThanOrEqual(0);
  });
});
