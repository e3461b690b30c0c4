import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPrivateRedis } from '../../rehearsal/redis.ts';
import { observe } from '../../src/flow/write.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openPromptRedis, untilReady } from '../../src/queue/redis.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { type Desk, DeskClosed, type LaunchOrder } from '../../src/requests.ts';
import { isEnd } from '../../src/run/run.ts';
import { sampleRun } from '../report/sample-run.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const clock = { now: () => Date.now() };
let store: Store;
let desk: Desk;

beforeEach(() => {
  const instance = freshPrefix();
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
  desk = openDesk({ ...store, config: { ...sampleConfig(), instance }, clock });
});

afterEach(async () => {
  await store.close();
});

function order(change: Partial<LaunchOrder> = {}): LaunchOrder {
  return {
    trigger: 'T1',
    host: 'kpro5',
    recipe: 'dflash',
    by: 'U0ALICE',
    channel: 'C0OPS',
    mode: { kind: 'now' },
    ...change,
  };
}

/** A desk whose Redis is its own, to be frozen by SIGSTOP, with a short limit. */
async function openFrozenDesk() {
  const own = await startPrivateRedis();
  const prompt = openPromptRedis(own.url, 400);
  prompt.on('error', () => {});
  const frozen = openStore(prompt, 'frozen');
  const frozenDesk = openDesk({ ...frozen, config: { ...sampleConfig(), instance: 'frozen' }, clock });
  await expect.poll(() => prompt.status).toBe('ready');
  const close = async (): Promise<void> => {
    await frozen.close();
    await own.stop();
  };
  return { own, frozenDesk, close };
}

test('a desk takes orders as soon as Redis is ready, and where there is none nobody waits for it longer than told', async () => {
  const [there, nowhere] = [openPromptRedis(redisUrl(), 20_000), openPromptRedis('redis://127.0.0.1:1', 200)];
  nowhere.on('error', () => {});
  const opened = openStore(there, freshPrefix());
  await Promise.all([untilReady(there, 20_000), untilReady(nowhere, 200)]);
  expect(await openDesk({ ...opened, config: sampleConfig(), clock }).runs()).toEqual([]);
  expect(nowhere.status).not.toBe('ready');
  await opened.close();
  nowhere.disconnect();
});

describe('a launch order', () => {
  test('is written down with a short name, its argv and what it occupies', async () => {
    const answer = await desk.launch(order(), 'unknown');
    expect(answer).toMatchObject({ kind: 'accepted', request: { name: 'kpro5-1', host: 'kpro5', gpus: ['0', '1'] } });
    expect((await desk.runs()).map(({ run }) => [run.request.name, run.phase])).toEqual([['kpro5-1', 'queued']]);
  });

  test('with the same trigger is the same run, also when two arrive at once', async () => {
    const answers = await Promise.all([
      desk.launch(order(), 'unknown'),
      desk.launch(order(), 'unknown'),
      desk.launch(order(), 'unknown'),
    ]);
    expect(answers.map((answer) => answer.kind).sort()).toEqual(['accepted', 'same', 'same']);
    expect(await desk.runs()).toHaveLength(1);
  });

  test('is refused while a live run holds the port, the GPUs or the log, naming who and what', async () => {
    await desk.launch(order(), 'unknown');
    const answer = await desk.launch(order({ trigger: 'T2', by: 'U0BOB' }), 'unknown');
    expect(answer).toMatchObject({
      kind: 'held',
      holders: [
        {
          name: 'kpro5-1',
          by: 'U0ALICE',
          what: ['port 8000', 'GPU 0', 'GPU 1', 'log /root/vllm-serve.log'],
        },
      ],
    });
  });

  test('finds everything free again once the run before has ended', async () => {
    const first = await desk.launch(order(), 'unknown');
    const id = first.kind === 'accepted' ? first.request.id : '';
    await observe(store.journal, id, () => [{ kind: 'refused', reason: 'no', at: 1, seen: 1 }]);
    expect(await desk.launch(order({ trigger: 'T2' }), 'unknown')).toMatchObject({
      kind: 'accepted',
      request: { name: 'kpro5-2' },
    });
    expect(await store.journal.live()).toHaveLength(1);
  });

  test('of another host shares nothing with it', async () => {
    await desk.launch(order(), 'unknown');
    expect(await desk.launch(order({ trigger: 'T2', host: 'trainer' }), 'unknown')).toMatchObject({
      request: { name: 'trainer-1' },
    });
  });

  test('that a frozen Redis could not take in time is not carried out later', async () => {
    const { own, frozenDesk, close } = await openFrozenDesk();
    await own.signal('SIGSTOP');
    await expect(frozenDesk.launch(order(), 'unknown')).rejects.toThrow(DeskClosed);
    await own.signal('SIGCONT');
    await expect.poll(() => frozenDesk.runs().catch(() => null)).toEqual([]);
    await close();
  });
});

describe('a stop', () => {
  test('that a frozen Redis could not take in time is not carried out later', async () => {
    const { own, frozenDesk, close } = await openFrozenDesk();
    const answer = await frozenDesk.launch(order(), 'unknown');
    const id = answer.kind === 'accepted' ? answer.request.id : '';
    await own.signal('SIGSTOP');
    await expect(frozenDesk.stop(id, 'U0BOB')).rejects.toThrow(DeskClosed);
    await own.signal('SIGCONT');
    await expect.poll(() => frozenDesk.run(id).then(Boolean, () => false)).toBe(true);
    expect((await frozenDesk.run(id))?.run.stopBy).toBeNull();
    await close();
  });

  test('is asked for once', async () => {
    const answer = await desk.launch(order(), 'unknown');
    const id = answer.kind === 'accepted' ? answer.request.id : '';
    expect(await desk.stop(id, 'U0BOB')).toBe('asked');
    expect(await desk.stop(id, 'U0BOB')).toBe('before');
    expect((await desk.run(id))?.run.stopBy).toBe('U0BOB');
  });

  test('of an ended or unknown run changes nothing', async () => {
    const answer = await desk.launch(order(), 'unknown');
    const id = answer.kind === 'accepted' ? answer.request.id : '';
    const ended = await observe(store.journal, id, () => [{ kind: 'refused', reason: 'no', at: 1, seen: 1 }]);
    expect(ended !== null && isEnd(ended.phase)).toBe(true);
    expect(await desk.stop(id, 'U0BOB')).toBe('ended');
    expect(await desk.stop('vigil-kpro5-nothing', 'U0BOB')).toBe('ended');
  });
});

describe('a run', () => {
  let id: string;
  let fence: number;
  const ROOT = { channel: 'C0OPS', ts: '1.000001' };

  beforeEach(async () => {
    const answer = await desk.launch(order(), 'unknown');
    id = answer.kind === 'accepted' ? answer.request.id : '';
    fence = await store.outbox.take(id);
  });

  test('is found by the place of its root, until that is forgotten', async () => {
    expect(await desk.runAt(ROOT)).toBeNull();
    await store.outbox.delivered(id, fence, 0, ROOT);
    expect(await desk.runAt(ROOT)).toMatchObject({ run: { request: { id } }, root: ROOT });
    expect(await desk.runAt({ ...ROOT, channel: 'C0GPU' })).toBeNull();
    const next = { ...ROOT, ts: '2.000001' };
    await store.outbox.forgetRoot(id, fence, null);
    expect(await desk.runAt(ROOT)).toBeNull();
    await store.outbox.delivered(id, fence, 0, next);
    expect(await desk.runAt(next)).not.toBeNull();
    expect(await store.redis.hlen(store.keys.roots)).toBe(1);
  });

  test('whose root was posted before there was an index is in it after its next edit', async () => {
    await store.redis.hset(store.keys.run(id), 'root', JSON.stringify(ROOT));
    await store.outbox.carded(id, fence, 1, null);
    expect(await desk.runAt(ROOT)).not.toBeNull();
  });

  test('without a thread or a log has none to share', async () => {
    expect(await desk.shareLog(id, 'U0BOB', 'T9')).toBe('nothing');
    await store.outbox.delivered(id, fence, 0, ROOT);
    expect(await desk.shareLog(id, 'U0BOB', 'T9')).toBe('nothing');
    expect(await desk.shareLog('vigil-kpro5-nothing', 'U0BOB', 'T9')).toBe('nothing');
  });

  test('shares its log once a command, also after its end', async () => {
    await store.outbox.delivered(id, fence, 0, ROOT);
    const { started } = sampleRun({ phase: 'loading' });
    if (started === null) throw new Error('the sample has not started');
    await observe(store.journal, id, () => [{ kind: 'launched', started, at: 1, seen: 1 }]);
    const asked = await Promise.all([1, 2, 3].map(() => desk.shareLog(id, 'U0BOB', 'T9')));
    expect(asked.sort()).toEqual(['asked', 'before', 'before']);
    await observe(store.journal, id, () => [{ kind: 'vanished', why: 'gone', at: 2, seen: 2 }]);
    expect(await desk.shareLog(id, 'U0BOB', 'T10')).toBe('asked');
    expect(await desk.shareLog(id, 'U0BOB', 'T10')).toBe('before');
    const events = (await store.outbox.read(id))?.events ?? [];
    expect(events.filter(({ kind }) => kind === 'log_asked')).toHaveLength(2);
    expect(await store.journal.dirty()).toEqual([id]);
    expect(await store.journal.live()).toEqual([]);
  });
});
