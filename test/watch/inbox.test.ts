import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { observe } from '../../src/flow/write.ts';
import type { Entry } from '../../src/journal.ts';
import type { Store } from '../../src/queue/store.ts';
import type { Observation } from '../../src/run/observe.ts';
import { Fenced, openInbox } from '../../src/watch/inbox.ts';
import { log, replay } from '../pulse/replay.ts';
import { askForRun } from '../support/asked-run.ts';
import { beats, readyRun } from '../vitals/scene.ts';

const TIMES = { at: 2000, seen: 2000 };
const CHECKING: Observation = { kind: 'checking', ...TIMES };
const STATE = () => ({ checkpoint: null, tail: null });
let store: Store;
let id: string;

beforeEach(async () => {
  ({ store, id } = await askForRun());
});

afterEach(() => store.close());

async function entry(): Promise<Entry> {
  const found = await store.journal.load(id);
  if (found === null) throw new Error('the run is not in the journal');
  return found;
}

function notice(text: string): Observation {
  return { kind: 'notice', text, ...TIMES };
}

async function told(): Promise<string[]> {
  const events = (await store.outbox.read(id))?.events ?? [];
  return events.map((event) => (event.kind === 'notice' ? event.text : event.kind));
}

describe('the inbox of a watch', () => {
  test('writes what was put, once, and goes on from there', async () => {
    const inbox = openInbox(store.journal, await entry(), await store.journal.takeWatch(id));
    inbox.put(CHECKING, notice('a'));
    await inbox.flush(STATE);
    inbox.put(notice('b'));
    await inbox.flush(STATE);
    await inbox.flush(STATE);
    expect(await told()).toEqual(['requested', 'checking', 'a', 'b']);
  });

  test('keeps what comes while it writes', async () => {
    const inbox = openInbox(store.journal, await entry(), await store.journal.takeWatch(id));
    inbox.put(notice('a'));
    const writing = inbox.flush(STATE);
    inbox.put(notice('b'));
    await writing;
    await inbox.flush(STATE);
    expect(await told()).toEqual(['requested', 'a', 'b']);
  });

  test('steps what it saw again on top of another writer’s state', async () => {
    const inbox = openInbox(store.journal, await entry(), await store.journal.takeWatch(id));
    inbox.put(notice('seen before the stop'));
    await observe(store.journal, id, () => [{ kind: 'stop_asked', by: 'U0BOB', confirmed: null, ...TIMES }]);
    await inbox.flush(STATE);
    expect(await told()).toEqual(['requested', 'stopping', 'seen before the stop']);
    expect((await entry()).run.stopBy).toBe('U0BOB');
  });

  test('writes nothing on a run that has ended meanwhile', async () => {
    const inbox = openInbox(store.journal, await entry(), await store.journal.takeWatch(id));
    inbox.put(notice('too late'));
    await observe(store.journal, id, () => [{ kind: 'refused', reason: 'no', ...TIMES }]);
    await inbox.flush(STATE);
    expect(inbox.run().phase).toBe('failed');
    expect(await told()).toEqual(['requested', 'failed']);
  });

  test('writes a ready server’s load with the next pace, and an alarm at once', async () => {
    const found = await entry();
    const inbox = openInbox(store.journal, { ...found, run: readyRun() }, await store.journal.takeWatch(id));
    const asked = () => ({ running: 2 });
    inbox.put(...beats({ to: 20_000 }, asked));
    expect(inbox.run().vitals?.load).not.toBeNull();
    expect(inbox.isUrgent()).toBe(false);
    inbox.put(...beats({ from: 30_000, to: 60_000 }, asked));
    expect(inbox.isUrgent()).toBe(true);
  });

  test('has the card of a run that starts written once a minute, which says when it was last heard', async () => {
    const { run } = replay({ phase: 'loading', forMs: 1000 });
    const found = { ...(await entry()), run: { ...run, request: { ...run.request, id } } };
    const inbox = openInbox(store.journal, found, await store.journal.takeWatch(id));
    const minute = Math.ceil(run.seenAt / 60_000) * 60_000;
    const revisionAt = async (at: number): Promise<number> => {
      inbox.put(log(at));
      await inbox.flush(STATE);
      return (await entry()).rev;
    };
    const first = await revisionAt(minute + 1000);
    expect(await revisionAt(minute + 40_000)).toBe(first);
    expect(await revisionAt(minute + 61_000)).toBe(first + 1);
  });

  test('finds out at its next write that another watch has taken over', async () => {
    const inbox = openInbox(store.journal, await entry(), await store.journal.takeWatch(id));
    await store.journal.takeWatch(id);
    inbox.put(notice('lost'));
    await expect(inbox.flush(STATE)).rejects.toThrow(Fenced);
    expect(await told()).toEqual(['requested']);
  });
});
