import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keep } from '../../jobs/keep.ts';
import { launch } from '../../jobs/launch.ts';
import { line } from '../../jobs/line.ts';
import type { Config } from '../../src/config/config.ts';
import { HostUnreachable } from '../../src/errors.ts';
import { observe } from '../../src/flow/write.ts';
import type { GpuUse } from '../../src/host/gpu.ts';
import type { LaunchSpec } from '../../src/host/launch.ts';
import { NOWHERE } from '../../src/journal.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Desk, LaunchMode } from '../../src/requests.ts';
import type { Run } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { fakeHost } from '../support/fake-host.ts';
import { gpu, stranger } from '../support/gpus.ts';
import { facts } from '../support/preflight.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const clock = { now: () => Date.now() };
const never = new AbortController().signal;
const BUSY = gpu(1, { usedMib: 20_000, processes: [stranger()] });

let store: Store;
let config: Config;
let desk: Desk;
let looks: (readonly GpuUse[] | null | Error)[];
let launched: LaunchSpec[];
let added: string[];

beforeEach(() => {
  config = { ...sampleConfig(), instance: freshPrefix() };
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  desk = openDesk({ ...store, config, clock });
  looks = [[gpu(0), gpu(1)]];
  launched = [];
  added = [];
});

afterEach(() => store.close());

/** What a worker has; each look at the GPUs takes the next of `looks`, the last one again and again. */
function tools(change: Partial<Tools> = {}): Tools {
  const chat = new FakeChat();
  chat.people.set('U0ALICE', { kind: 'member', name: 'alice' });
  const host: Host = fakeHost('kpro5', {
    listener: async () => ({ kind: 'closed' }),
    preflight: async () => facts(),
    gpus: async () => {
      const look = looks.length > 1 ? looks.shift() : looks[0];
      if (look instanceof Error) throw look;
      return look ?? null;
    },
    launch: async (spec) => {
      launched.push(spec);
      return { kind: 'refused', reason: 'Enough.' };
    },
  });
  const queue = { add: async (job: string, run: string) => void added.push(`${job} ${run}`) };
  const hosts = { get: () => host, close: async () => {} };
  const own = { hosts, chat, config, clock, queue, timings: PRODUCTION, log: pino({ level: 'silent' }) };
  return { ...store, ...own, ...change };
}

let triggers = 0;

async function ask(mode: LaunchMode, seen: readonly GpuUse[] | 'unknown' = 'unknown'): Promise<string> {
  triggers += 1;
  const order = { trigger: `T${triggers}`, host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS', mode };
  const answer = await desk.launch(order, seen);
  if (answer.kind !== 'accepted') throw new Error(`answered with ${answer.kind}`);
  await desk.decideHome(answer.request.id, 'C0OPS');
  return answer.request.id;
}

async function runOf(id: string): Promise<Run> {
  const entry = await store.journal.load(id);
  if (entry === null) throw new Error('the run is not known');
  return entry.run;
}

function withGpus(gpus: number | readonly string[]): void {
  const { dflash } = config.recipes;
  if (dflash === undefined) throw new Error('the sample has lost its recipe');
  config = { ...config, recipes: { ...config.recipes, dflash: { ...dflash, gpus } } };
  desk = openDesk({ ...store, config, clock });
}

async function stopped(id: string, proof: { proven: boolean; isGone: boolean }): Promise<void> {
  await observe(store.journal, id, () => [
    { kind: 'stop_done', proof: { ...proof, evidence: ['Still running: pid 7.'] }, at: 1, seen: 1 },
  ]);
}

describe('a look along the line', () => {
  test('starts who can start, and tells the others where they stand', async () => {
    const holder = await ask({ kind: 'now' });
    const first = await ask({ kind: 'queue' });
    const second = await ask({ kind: 'queue' });
    await line('kpro5', tools(), never);
    expect((await runOf(second)).waiting).toMatchObject({ ahead: ['kpro5-2'], holders: [{ name: 'kpro5-1' }] });
    await stopped(holder, { proven: true, isGone: true });
    await line('kpro5', tools(), never);
    expect(added).toEqual([`launch ${first}`]);
    expect(await runOf(first)).toMatchObject({ waiting: null, placement: { devices: ['0', '1'] } });
    expect((await runOf(second)).waiting).toMatchObject({ ahead: [], holders: [{ name: 'kpro5-2' }] });
  });

  test('writes nothing where nothing has changed', async () => {
    await ask({ kind: 'now' });
    const first = await ask({ kind: 'queue' });
    await line('kpro5', tools(), never);
    const before = (await store.journal.load(first))?.version;
    await line('kpro5', tools(), never);
    expect((await store.journal.load(first))?.version).toBe(before);
  });

  test('at a host that can’t be asked starts nobody, and says why', async () => {
    const holder = await ask({ kind: 'now' });
    const first = await ask({ kind: 'queue' });
    await stopped(holder, { proven: true, isGone: true });
    looks = [new HostUnreachable('kpro5', 'kpro5 does not answer.')];
    await line('kpro5', tools(), never);
    expect((await runOf(first)).waiting).toMatchObject({ why: 'kpro5 does not answer.' });
    looks = [[gpu(0), gpu(1)]];
    await line('kpro5', tools(), never);
    expect(added).toEqual([`launch ${first}`]);
  });

  test('waits on where nvidia-smi does not answer for now', async () => {
    withGpus(2);
    const holder = await ask({ kind: 'now' }, [gpu(0), gpu(1)]);
    const first = await ask({ kind: 'queue' });
    await stopped(holder, { proven: true, isGone: true });
    looks = [null];
    await line('kpro5', tools(), never);
    expect((await runOf(first)).waiting?.why).toMatch(/nvidia-smi does not answer there/);
  });

  test('refuses who asks for more than the host has, so that those behind are not held up', async () => {
    const holder = await ask({ kind: 'now' });
    withGpus(8);
    const many = await ask({ kind: 'queue' });
    await stopped(holder, { proven: true, isGone: true });
    withGpus(1);
    const one = await ask({ kind: 'queue' });
    await line('kpro5', tools(), never);
    expect((await runOf(many)).failure).toMatchObject({
      reason: expect.stringMatching(/^The recipe asks for 8 GPUs, and kpro5 has 2\..* Nothing was started\.$/),
    });
    expect(added).toEqual([`launch ${one}`]);
  });

  test('refuses who can never start: the recipe or the host is gone, or its thread has no place', async () => {
    await ask({ kind: 'now' });
    const first = await ask({ kind: 'queue' });
    await line('kpro5', tools({ config: { ...config, recipes: {} } }), never);
    expect((await runOf(first)).failure).toMatchObject({ reason: expect.stringContaining('no longer in vigil.yaml') });
    const second = await ask({ kind: 'queue' });
    await line('kpro5', tools({ config: { ...config, hosts: {} } }), never);
    expect((await runOf(second)).failure).toMatchObject({ reason: expect.stringContaining('The host kpro5 is no') });
    const third = await ask({ kind: 'queue' });
    await store.redis.hset(store.keys.run(third), 'home', NOWHERE);
    await line('kpro5', tools(), never);
    expect((await runOf(third)).failure).toMatchObject({ reason: expect.stringContaining('no channel') });
  });

  test('lets one that replaces others wait for their end, and starts it only when nothing of them is left', async () => {
    const former = await ask({ kind: 'now' });
    const next = await ask({ kind: 'replace', runs: [former] });
    await line('kpro5', tools(), never);
    expect((await runOf(next)).waiting).toMatchObject({ holders: [{ name: 'kpro5-1' }] });
    await stopped(former, { proven: false, isGone: false });
    await line('kpro5', tools(), never);
    expect((await runOf(next)).failure).toMatchObject({
      reason: 'kpro5-1 was to make room, and something of it is left: Still running: pid 7. Nothing was started.',
    });
  });

  test('starts one that replaces others where only the proof is incomplete', async () => {
    const former = await ask({ kind: 'now' });
    const next = await ask({ kind: 'replace', runs: [former] });
    await stopped(former, { proven: false, isGone: true });
    await line('kpro5', tools(), never);
    expect(added).toEqual([`launch ${next}`]);
  });

  test('is taken by the keeper while somebody waits, and such a run gets no job of its own', async () => {
    await ask({ kind: 'now' });
    const first = await ask({ kind: 'queue' });
    const woken: string[] = [];
    const own = { ...store.line, wake: async (host: string) => void woken.push(host) };
    await keep('', tools({ line: own, config: { ...config, hosts: {} } }), never);
    expect(woken).toEqual(['kpro5']);
    expect(added).not.toContain(`launch ${first}`);
    expect(await launch(first, tools(), never)).toBe('done');
    expect(launched).toEqual([]);
  });
});

describe('a launch', () => {
  test('gives the process its GPUs, in the order that nvidia-smi counts them', async () => {
    withGpus(1);
    const id = await ask({ kind: 'now' }, [BUSY, gpu(2)]);
    looks = [[BUSY, gpu(2)]];
    await launch(id, tools(), never);
    expect(launched[0]?.environment).toEqual({ CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: '2' });
  });

  test('leaves both to a recipe that sets them itself', async () => {
    const { dflash } = config.recipes;
    if (dflash === undefined) throw new Error('the sample has lost its recipe');
    const environment = { CUDA_VISIBLE_DEVICES: '0,1', CUDA_DEVICE_ORDER: 'FASTEST_FIRST' };
    config = { ...config, recipes: { dflash: { ...dflash, environment } } };
    await launch(await ask({ kind: 'now' }), tools(), never);
    expect(launched[0]?.environment).toEqual(environment);
  });

  test('that nobody looked for before gets its GPUs now', async () => {
    withGpus(1);
    const id = await ask({ kind: 'now' }, 'unknown');
    looks = [[gpu(0, { processes: [stranger()] }), gpu(1)]];
    await launch(id, tools(), never);
    expect(launched[0]?.environment).toMatchObject({ CUDA_VISIBLE_DEVICES: '1' });
    expect((await runOf(id)).placement).toMatchObject({ devices: ['1'], freeAt: expect.any(Number) });
  });

  test('that waited and loses its GPU right before the start goes back to the front of the line, and starts later', async () => {
    const holder = await ask({ kind: 'now' });
    const first = await ask({ kind: 'queue' });
    const second = await ask({ kind: 'queue' });
    await stopped(holder, { proven: true, isGone: true });
    await line('kpro5', tools(), never);
    looks = [[gpu(0), BUSY]];
    expect(await launch(first, tools(), never)).toBe('done');
    expect(await runOf(first)).toMatchObject({
      phase: 'queued',
      placement: null,
      turnAt: null,
      failure: null,
      waiting: { ahead: [], holders: [{ kind: 'process', what: ['GPU 1'], pid: 4242 }] },
    });
    expect((await store.line.read('kpro5')).line.map(({ party }) => party.run)).toEqual([first, second]);
    expect((await store.line.read('kpro5')).held.size).toBe(0);
    const events = (await store.outbox.read(first))?.events.map(({ kind }) => kind);
    expect(events).toEqual(['requested', 'turn', 'checking', 'checked', 'turn_lost']);
    expect(launched).toEqual([]);
    looks = [[gpu(0), gpu(1)]];
    await line('kpro5', tools(), never);
    await launch(first, tools(), never);
    expect(launched).toHaveLength(1);
  });

  test('that may wait and finds too few free GPUs at once waits for them', async () => {
    withGpus(2);
    const id = await ask({ kind: 'queue' }, 'unknown');
    looks = [[gpu(0), BUSY]];
    await launch(id, tools(), never);
    expect((await runOf(id)).waiting).toMatchObject({ count: 2, holders: [{ pid: 4242 }] });
    expect((await store.line.read('kpro5')).line.map(({ party }) => party.run)).toEqual([id]);
  });

  test('that was sent back while a second worker was about to start it is not started from outside the line', async () => {
    const id = await ask({ kind: 'queue' }, [gpu(0), gpu(1)]);
    const host = tools().hosts.get('kpro5');
    const sentBack: Host = {
      ...host,
      gpus: async (signal) => {
        looks = [[gpu(0), BUSY]];
        await launch(id, tools(), signal);
        return [gpu(0), gpu(1)];
      },
    };
    expect(await launch(id, tools({ hosts: { get: () => sentBack, close: async () => {} } }), never)).toBe('done');
    expect(launched).toEqual([]);
    expect(await runOf(id)).toMatchObject({ attempted: false, waiting: { holders: [{ pid: 4242 }] } });
  });

  test('that is stopped while it loses its GPU is left to the stop', async () => {
    const id = await ask({ kind: 'queue' }, [gpu(0), gpu(1)]);
    await desk.stop(id, 'U0ALICE');
    looks = [[gpu(0), BUSY]];
    await launch(id, tools(), never);
    expect(await runOf(id)).toMatchObject({ waiting: null, stopBy: 'U0ALICE', phase: 'checking' });
  });

  test('that finds two processes on one GPU says so in the singular', async () => {
    withGpus(2);
    const id = await ask({ kind: 'now' }, 'unknown');
    looks = [[gpu(0), gpu(1, { usedMib: 20_000, processes: [stranger(), stranger({ pid: 4243 })] })]];
    await launch(id, tools(), never);
    expect((await runOf(id)).failure).toMatchObject({
      reason: 'It needs 2 free GPUs of kpro5: GPU 1 is in use. Nothing was started.',
    });
  });

  test('that finds too few then is refused with who has them', async () => {
    withGpus(2);
    const id = await ask({ kind: 'now' }, 'unknown');
    looks = [[gpu(0), BUSY]];
    await launch(id, tools(), never);
    expect((await runOf(id)).failure).toMatchObject({
      reason: 'It needs 2 free GPUs of kpro5: GPU 1 is in use. Nothing was started.',
      taken: { freeAt: null, holders: [{ pid: 4242 }] },
    });
    expect(launched).toEqual([]);
  });

  test('that loses its GPU between the command and the start tells who came, and when it was free', async () => {
    const id = await ask({ kind: 'now' }, [gpu(0), gpu(1)]);
    looks = [[gpu(0), BUSY]];
    await launch(id, tools(), never);
    const { failure, placement } = await runOf(id);
    expect(failure).toMatchObject({
      reason: 'GPU 1 of kpro5 is in use by others meanwhile. Nothing was started.',
      taken: { freeAt: placement?.freeAt, holders: [{ kind: 'process', what: ['GPU 1'], pid: 4242, user: 'bob' }] },
    });
    expect([placement?.freeAt, launched]).toEqual([expect.any(Number), []]);
  });

  test('whose GPU has fallen off the bus is refused with what is left', async () => {
    const id = await ask({ kind: 'now' }, [gpu(0), gpu(1)]);
    looks = [[gpu(0)]];
    await launch(id, tools(), never);
    expect((await runOf(id)).failure).toMatchObject({
      reason: expect.stringMatching(/^1 is no GPU of kpro5, which has 0/),
    });
  });

  test('is not held up by a host without nvidia-smi where its recipe names its GPUs', async () => {
    looks = [null];
    await launch(await ask({ kind: 'now' }), tools(), never);
    expect(launched[0]?.environment).toMatchObject({ CUDA_VISIBLE_DEVICES: '0,1' });
  });
});
