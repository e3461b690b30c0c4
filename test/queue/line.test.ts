import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { placeRun } from '../../src/flow/placing.ts';
import { observe } from '../../src/flow/write.ts';
import type { GpusSeen } from '../../src/place/place.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { enqueue } from '../../src/queue/launch.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Desk, LaunchAnswer, LaunchMode, LaunchOrder } from '../../src/requests.ts';
import { newRun, UNNAMED } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';
import { gpu, stranger } from '../support/gpus.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

const clock = { now: () => Date.now() };
const FOUR = [gpu(0), gpu(1), gpu(2), gpu(3)];
let store: Store;
let desk: Desk;

beforeEach(() => {
  const config = { ...withRecipes({ two: 2, one: 1, named: ['0', '1'], uuid: ['GPU-1111'] }), instance: freshPrefix() };
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  desk = openDesk({ ...store, config, clock });
});

afterEach(() => store.close());

/** Recipes by what they need of GPUs, each with a port and a log of its own. */
function withRecipes(gpus: Readonly<Record<string, number | readonly string[]>>): Config {
  const config = sampleConfig();
  const { dflash } = config.recipes;
  if (dflash?.kind !== 'serve') throw new Error('the sample has lost its recipe');
  const own = Object.entries(gpus).map(([name, wanted], index) => {
    const address = { kind: 'tcp', host: '127.0.0.1', port: 9000 + index } as const;
    return [name, { ...dflash, name, gpus: wanted, log: null, address }] as const;
  });
  return { ...config, recipes: Object.fromEntries(own) };
}

let triggers = 0;

function launch(
  recipe: string,
  how: { mode?: LaunchMode['kind']; seen?: GpusSeen; trigger?: string; runs?: string[] } = {},
): Promise<LaunchAnswer> {
  triggers += 1;
  const { mode: kind = 'now', seen = FOUR, trigger = `T${triggers}`, runs = null } = how;
  const mode: LaunchMode = kind === 'replace' ? { kind, runs } : { kind };
  const order: LaunchOrder = { trigger, host: 'kpro5', recipe, by: 'U0ALICE', channel: 'C0OPS', mode };
  return desk.launch(order, seen);
}

/** What came of it, in short: the devices, the place in the line, or who is in the way. */
async function short(answering: Promise<LaunchAnswer>): Promise<unknown> {
  const answer = await answering;
  if (answer.kind === 'impossible') return answer.reason;
  if (answer.kind === 'held')
    return [...answer.holders, ...answer.ahead].map((holder) => (holder.kind === 'run' ? holder.name : holder.kind));
  return answer.waiting === null ? answer.placement?.devices : `after ${answer.waiting.ahead.join(', ') || 'nobody'}`;
}

async function idOf(answering: Promise<LaunchAnswer>): Promise<string> {
  const answer = await answering;
  if (answer.kind !== 'accepted') throw new Error(`answered with ${answer.kind}`);
  return answer.request.id;
}

async function end(id: string): Promise<void> {
  await observe(store.journal, id, () => [{ kind: 'refused', reason: 'no', at: 1, seen: 1 }]);
}

/** As the jobs do it: the line's for one of those that wait, the launch's for one that has no GPUs yet. */
async function tryTurn(id: string, seen: GpusSeen = FOUR): Promise<string> {
  const entry = await store.journal.load(id);
  if (entry === null) throw new Error('the run is not known');
  const stand = await store.line.read('kpro5', ...(entry.run.waiting === null ? [id] : []));
  const before = Math.max(
    0,
    stand.line.findIndex(({ party }) => party.run === id),
  );
  const placed = await placeRun(entry, {
    stand: { ...stand, line: stand.line.slice(0, before) },
    seen,
    tools: { ...store, clock },
  });
  return typeof placed === 'string' ? placed : placed.kind;
}

async function line(): Promise<readonly string[]> {
  return (await store.line.read('kpro5')).line.map(({ party }) => party.name);
}

describe('a launch that asks for a number of GPUs', () => {
  test('gets the lowest that are free, and two get different ones also when they arrive at once', async () => {
    const answers = await Promise.all([short(launch('two')), short(launch('one'))]);
    const given = answers.flat();
    expect(new Set(given).size).toBe(3);
    expect(given.toSorted()).toEqual(['0', '1', '2']);
  });

  test('finds them held by index and UUID, whatever another recipe calls them', async () => {
    await launch('one', { seen: [gpu(1), gpu(2)] });
    expect(await short(launch('uuid'))).toEqual(['kpro5-1']);
    expect(await short(launch('named'))).toEqual(['kpro5-1']);
  });

  test('that nobody could look for yet is accepted, and its GPUs are taken later, for it alone', async () => {
    const id = await idOf(launch('two', { seen: 'unknown' }));
    expect((await store.journal.load(id))?.run.placement).toBeNull();
    expect(await tryTurn(id)).toBe('taken');
    expect((await store.journal.load(id))?.run.placement?.devices).toEqual(['0', '1']);
    expect(await short(launch('named'))).toEqual(['kpro5-1']);
  });

  test('is refused, not queued, where the host could never give them', async () => {
    expect(await short(launch('two', { seen: [gpu(0)], mode: 'queue' }))).toMatch(/kpro5 has 1/);
    expect(await short(launch('two', { seen: null }))).toMatch(/nvidia-smi does not answer there/);
    expect(await desk.runs()).toEqual([]);
  });
});

describe('the line', () => {
  test('is in order of arrival; who wants nothing of the same passes, and a fresh launch does not', async () => {
    await launch('named');
    expect(await short(launch('named', { mode: 'queue' }))).toBe('after nobody');
    expect(await short(launch('uuid', { mode: 'queue' }))).toBe('after kpro5-2');
    expect(await short(launch('one'))).toEqual(['kpro5-2', 'kpro5-3']);
    expect(await short(launch('two', { mode: 'queue' }))).toBe('after kpro5-2, kpro5-3');
    expect(await line()).toEqual(['kpro5-2', 'kpro5-3', 'kpro5-4']);
  });

  test('lets one start without waiting that touches nothing of it', async () => {
    await launch('uuid');
    await launch('uuid', { mode: 'queue' });
    const config = withRecipes({ aside: ['3'] });
    const other = openDesk({ ...store, config: { ...config, instance: store.keys.live.split(':')[1] ?? '' }, clock });
    const order = { trigger: 'TX', host: 'kpro5', recipe: 'aside', by: 'U0ALICE', channel: 'C0OPS' };
    expect(await short(other.launch({ ...order, mode: { kind: 'now' } }, FOUR))).toEqual(['3']);
  });

  test('gives its turn to the first only, once what it waits for is free', async () => {
    const holder = await idOf(launch('named'));
    const first = await idOf(launch('named', { mode: 'queue' }));
    const second = await idOf(launch('named', { mode: 'queue' }));
    expect(await tryTurn(first)).toBe('blocked');
    await end(holder);
    expect(await tryTurn(second)).toBe('blocked');
    expect(await tryTurn(first)).toBe('taken');
    expect((await store.journal.load(first))?.run).toMatchObject({ waiting: null, phase: 'queued' });
    expect(await line()).toEqual(['kpro5-3']);
    expect(await tryTurn(second)).toBe('blocked');
  });

  test('is kept by the one step that takes: a worker that has not seen who stands before is held back', async () => {
    const holder = await idOf(launch('named'));
    await launch('named', { mode: 'queue' });
    const second = await idOf(launch('named', { mode: 'queue' }));
    await end(holder);
    const entry = await store.journal.load(second);
    if (entry === null) throw new Error('the run is not known');
    const holds = ['port 9002', 'GPU 0', 'GPU 1'];
    expect(await store.line.take(entry, { placement: null, holds, past: [], at: 1 })).toBe('behind');
  });

  test('starts one run once, however many workers try at the same time', async () => {
    const holder = await idOf(launch('named'));
    const first = await idOf(launch('named', { mode: 'queue' }));
    await end(holder);
    const tries = await Promise.all(Array.from({ length: 8 }, () => tryTurn(first)));
    expect(tries.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    const events = (await store.outbox.read(first))?.events.map(({ kind }) => kind);
    expect(events).toEqual(['requested', 'turn']);
  });

  test('waits for others’ processes as for runs', async () => {
    const busy = [gpu(0), gpu(1, { usedMib: 20_000, processes: [stranger()] })];
    const id = await idOf(launch('named', { seen: busy, mode: 'queue' }));
    expect(await tryTurn(id, busy)).toBe('blocked');
    expect(await tryTurn(id)).toBe('taken');
  });

  test('is left by who is stopped, and its host is looked at then', async () => {
    await launch('named');
    const first = await idOf(launch('named', { mode: 'queue' }));
    const second = await idOf(launch('named', { mode: 'queue' }));
    const before = Number(await store.redis.hget(store.keys.wakes, 'kpro5'));
    await end(first);
    expect(await line()).toEqual(['kpro5-3']);
    await expect.poll(async () => Number(await store.redis.hget(store.keys.wakes, 'kpro5'))).toBeGreaterThan(before);
    await end(second);
    expect(await line()).toEqual([]);
  });

  test('takes one trigger once, whichever way it is asked for again', async () => {
    await launch('named');
    const waits = await launch('named', { trigger: 'TT', mode: 'queue' });
    const again = await launch('named', { trigger: 'TT', mode: 'replace' });
    expect([waits.kind, again.kind]).toEqual(['accepted', 'same']);
    expect(again.kind === 'same' && again.waiting?.after).toEqual([]);
    expect(await line()).toEqual(['kpro5-2']);
  });
});

describe('a launch that replaces', () => {
  test('stands before all who wait, and waits for those that end for it', async () => {
    const holder = await idOf(launch('named'));
    await launch('named', { mode: 'queue' });
    const answer = await launch('named', { mode: 'replace' });
    expect(answer).toMatchObject({ kind: 'accepted', waiting: { after: [holder], ahead: [] } });
    expect(await line()).toEqual(['kpro5-3', 'kpro5-2']);
  });

  test('is told anew where others are in the way than those that were named', async () => {
    const holder = await idOf(launch('named'));
    expect(await short(launch('named', { mode: 'replace', runs: ['another'] }))).toEqual(['kpro5-1']);
    expect(await short(launch('named', { mode: 'replace', runs: [holder] }))).toBe('after nobody');
  });

  test('ends nothing where that would not be enough', async () => {
    const busy = [gpu(0), gpu(1, { usedMib: 20_000, processes: [stranger()] })];
    await launch('one', { seen: [gpu(0)] });
    expect(await short(launch('named', { mode: 'replace', seen: busy }))).toEqual(['kpro5-1', 'process']);
  });

  test('starts at once where nothing is in its way any more', async () => {
    expect(await short(launch('named', { mode: 'replace', runs: ['gone'] }))).toEqual(['0', '1']);
  });
});

test('a run that comes after another stands at the front until that has ended, and is written down once', async () => {
  const former = await idOf(launch('named'));
  await launch('named', { mode: 'queue' });
  const { request } = newRun(sampleRun({}, { id: 'vigil-kpro5-again', name: UNNAMED, gpus: ['0', '1'] }).request);
  const write = () => enqueue({ ...store, config: sampleConfig(), clock }, request, { after: [former] });
  const answers = await Promise.all([write(), write()]);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'same']);
  expect(answers[0]).toMatchObject({
    request: { name: 'kpro5-3' },
    waiting: { after: [former], holders: [{ kind: 'run', name: 'kpro5-1', what: ['GPU 0', 'GPU 1'] }] },
  });
  expect(await line()).toEqual(['kpro5-3', 'kpro5-2']);
});
