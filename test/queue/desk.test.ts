import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPrivateRedis } from '../../rehearsal/redis.ts';
import { observe } from '../../src/flow/write.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openPromptRedis, untilReady } from '../../src/queue/redis.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { type Desk, DeskClosed, type LaunchOrder } from '../../src/requests.ts';
import { isEnd } from '../../src/run/run.ts';
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
