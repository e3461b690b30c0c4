import { describe, expect, test } from 'vitest';
import type { GpuUse } from '../../src/host/gpu.ts';
import { type GpusSeen, type Party, place, type Stand } from '../../src/place/place.ts';
import { replaceable } from '../../src/place/replace.ts';
import type { Request } from '../../src/run/request.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';
import { gpu, stranger } from '../support/gpus.ts';

const FREE: Stand = { held: new Map(), line: [] };
const FOUR = [gpu(0), gpu(1), gpu(2), gpu(3)];

function serve(gpus: Request['gpus'], more: { argv?: string[]; port?: number } = {}): Request {
  const address = { kind: 'tcp', host: '127.0.0.1', port: more.port ?? 8000 } as const;
  return sampleRun({}, { gpus, argv: more.argv ?? ['vllm', 'serve', 'm'], address }).request;
}

function train(gpus: Request['gpus']): Request {
  return sampleTraining({}, { gpus, host: 'kpro5', targetLog: null }).request;
}

function party(name: string, since = 1000): Party {
  return { run: `vigil-${name}`, name, recipe: 'dflash', by: 'U0BOB', since };
}

/** What runs hold, by their names. */
function held(holds: Readonly<Record<string, readonly string[]>>): Stand['held'] {
  return new Map(
    Object.entries(holds).flatMap(([name, words], index) => words.map((word) => [word, party(name, index)] as const)),
  );
}

/** The devices that it gets, or why it gets none, in short. */
function outcome(request: Request, seen: GpusSeen, stand: Partial<Stand> = {}): unknown {
  const placing = place(request, { ...FREE, ...stand }, seen);
  if (placing.kind === 'free') return placing.devices;
  if (placing.kind === 'impossible') return placing.reason;
  const rows = placing.holders.map((holder) => {
    const who = holder.kind === 'run' ? holder.name : holder.kind === 'process' ? `pid ${holder.pid}` : 'memory';
    return `${holder.what.join('+')} ${who}`;
  });
  return [...rows, ...placing.ahead.map(({ name }) => `after ${name}`)];
}

const busy = (index: number): GpuUse => gpu(index, { usedMib: 20_003, processes: [stranger()] });
const used = (index: number, usedMib: number, changes: Partial<GpuUse> = {}): GpuUse =>
  gpu(index, { usedMib, ...changes });

describe('a recipe that says how many', () => {
  test.each<[string, number, GpuUse[], Stand['held'], unknown]>([
    ['gets the lowest that are free', 2, FOUR, new Map(), ['0', '1']],
    ['passes over one that a live run holds', 2, FOUR, held({ a: ['GPU 0'] }), ['1', '2']],
    ['knows a hold by its UUID', 1, FOUR, held({ a: [`uuid ${FOUR[0]?.uuid}`] }), ['1']],
    ['passes over one that others compute on', 2, [busy(0), gpu(1), gpu(2)], new Map(), ['1', '2']],
    ['takes one with a display or the like on it', 1, [used(0, 1024), gpu(1)], new Map(), ['0']],
    ['passes over one with more memory in use', 1, [used(0, 1025, { totalMib: 15_000 }), gpu(1)], new Map(), ['1']],
    ['allows a large card a twentieth', 1, [used(0, 7000, { totalMib: 143_771 }), gpu(1)], new Map(), ['0']],
    ['never gets a GPU in MIG mode', 1, [gpu(0, { isMig: true }), gpu(1)], new Map(), ['1']],
    ['takes one that does not tell its memory', 1, [used(0, 0, { usedMib: null, totalMib: null })], new Map(), ['0']],
    ['counts in order of index with ten and more', 1, [busy(0), gpu(10), gpu(11)], new Map(), ['10']],
    ['is told who has the others', 2, [busy(0), gpu(1)], new Map(), ['GPU 0 pid 4242']],
    [
      'is told of runs, processes and bare memory alike',
      4,
      [gpu(0), busy(1), used(2, 9000), gpu(3)],
      held({ a: ['GPU 0', `uuid ${gpu(0).uuid}`] }),
      ['GPU 0 a', 'GPU 1 pid 4242', 'GPU 2 memory'],
    ],
  ])('%s', (_, count, seen, holds, expected) => {
    expect(outcome(serve(count), seen, { held: holds })).toEqual(expected);
  });

  test('leaves a server room for its share, however little is in use', () => {
    const greedy = serve(1, { argv: ['vllm', 'serve', 'm', '--gpu-memory-utilization=0.99'] });
    expect(outcome(greedy, [used(0, 600), gpu(1)])).toEqual(['1']);
    expect(outcome(train(1), [used(0, 600), gpu(1)])).toEqual(['0']);
  });

  test('gets none yet where nobody could look, and waits for no one', () => {
    expect(place(serve(2), FREE, 'unknown')).toMatchObject({ kind: 'free', devices: null, holds: ['port 8000'] });
  });

  test('is refused where nvidia-smi does not answer, with where it was looked for', () => {
    expect(outcome(serve(2), null)).toMatch(
      /^2 GPUs of kpro5 can't be chosen: nvidia-smi does not answer there, .*Name the devices/,
    );
  });

  test('is refused where the host has fewer', () => {
    expect(outcome(serve(3), [gpu(0), gpu(1)])).toMatch(/^The recipe asks for 3 GPUs, and kpro5 has 2\./);
    expect(outcome(serve(1), [gpu(0, { isMig: true })])).toMatch(/has 1, 1 of them in MIG mode/);
  });
});

describe('a recipe that names its GPUs', () => {
  test.each<[string, Request, GpuUse[], unknown]>([
    ['a server shares with what leaves it its 0.9', serve(['0']), [used(0, 4914, { processes: [stranger()] })], ['0']],
    ['and not with more', serve(['0']), [used(0, 4915, { processes: [stranger()] })], ['GPU 0 pid 4242']],
    [
      'a server that takes less shares with more',
      serve(['0'], { argv: ['vllm', 'serve', 'm', '--gpu_memory_utilization', '0.5'] }),
      [used(0, 24_000, { processes: [stranger()] })],
      ['0'],
    ],
    ['memory of nobody known counts as well', serve(['1']), [gpu(0), used(1, 30_000)], ['GPU 1 memory']],
    [
      'without its memory any process is in the way',
      serve(['0']),
      [gpu(0, { totalMib: null, processes: [stranger()] })],
      ['GPU 0 pid 4242'],
    ],
    ['a training shares with nobody', train(['0']), [used(0, 10, { processes: [stranger()] })], ['GPU 0 pid 4242']],
    ['nor with much memory', train(['0']), [used(0, 3000)], ['GPU 0 memory']],
    ['a UUID is given as its index', serve(['GPU-1111']), FOUR, ['1']],
    ['one process on two GPUs is told once', train(['0', '1']), [busy(0), busy(1)], ['GPU 0+GPU 1 pid 4242']],
  ])('%s', (_, request, seen, expected) => {
    expect(outcome(request, seen)).toEqual(expected);
  });

  test('what runs on a GPU that a live run holds is that run’s, and not told twice', () => {
    expect(outcome(serve(['0']), [busy(0)], { held: held({ a: ['GPU 0'] }) })).toEqual(['GPU 0 a']);
  });

  test('by index, UUID or MIG device collides with the same under another name', () => {
    const mig = { uuid: 'MIG-11', name: '3g.20gb' };
    const seen = [gpu(0), gpu(1, { isMig: true, migs: [mig, { uuid: 'MIG-22', name: '3g.20gb' }] })];
    const whole = held({ a: ['GPU 1', `uuid ${gpu(1).uuid}`, 'uuid MIG-11', 'uuid MIG-22'] });
    expect(outcome(serve(['GPU-0000']), seen, { held: held({ a: ['GPU 0'] }) })).toEqual(['GPU 0 a']);
    expect(outcome(serve(['MIG-11']), seen, { held: whole })).toEqual(['GPU MIG-11 a']);
    expect(outcome(serve(['1']), seen, { held: held({ a: ['uuid MIG-22'] }) })).toEqual(['GPU MIG-22 a']);
    expect(outcome(serve(['MIG-11']), seen, { held: held({ a: ['uuid MIG-22'] }) })).toEqual(['MIG-11']);
  });

  test('is held by the name alone where nobody could look', () => {
    expect(place(serve(['0', 'GPU-ab']), FREE, 'unknown')).toMatchObject({
      devices: null,
      gpuHolds: ['GPU 0', 'uuid GPU-ab'],
    });
    expect(outcome(serve(['0']), 'unknown', { held: held({ a: ['GPU 0'] }) })).toEqual(['GPU 0 a']);
  });

  test('starts without a look where nvidia-smi does not answer', () => {
    expect(place(serve(['0']), FREE, null)).toMatchObject({ kind: 'free', gpuHolds: ['GPU 0'] });
  });

  test('has port and log for itself, too', () => {
    const stand = { held: held({ a: ['port 8000', 'GPU 0'], b: ['GPU 1'] }) };
    expect(outcome(serve(['0', '1']), FOUR, stand)).toEqual(['port 8000+GPU 0 a', 'GPU 1 b']);
  });
});

describe('the line', () => {
  const waits = (name: string, request: Request) => ({ party: party(name), request });

  test.each<[string, Request, Request, boolean]>([
    ['another GPU and another port', serve(['0']), serve(['1'], { port: 8001 }), false],
    ['the same GPU', serve(['0']), serve(['0'], { port: 8001 }), true],
    ['the same GPU under another name', serve(['0']), serve(['GPU-0000'], { port: 8001 }), true],
    ['the same port', serve(['0']), serve(['1']), true],
    ['any GPU', serve(1), serve(['3'], { port: 8001 }), true],
    ['any GPU, asked for later', serve(['3']), serve(1, { port: 8001 }), true],
  ])('one that needs %s: goes after who waits is %#', (_, first, second, isAfter) => {
    const line = [waits('a', first)];
    expect(place(second, { held: new Map(), line }, FOUR).kind).toBe(isAfter ? 'blocked' : 'free');
  });

  test('names those before it', () => {
    const line = [waits('a', serve(['0'])), waits('b', serve(['1'], { port: 8001 })), waits('c', serve(['0']))];
    expect(outcome(serve(['0'], { port: 9 }), FOUR, { line })).toEqual(['after a', 'after c']);
  });
});

describe('what would have to end', () => {
  const names = (request: Request, seen: GpusSeen, holds: Stand['held']): readonly string[] =>
    replaceable(request, { held: holds, line: [] }, seen).map(({ name }) => name);
  const taken = (index: number): GpuUse => gpu(index, { usedMib: 40_000, processes: [stranger({ pid: index })] });

  test('is whoever holds what is named', () => {
    const holds = held({ a: ['GPU 0', 'port 8000'], b: ['GPU 1'], c: ['GPU 2'] });
    expect(names(serve(['0', '1']), [taken(0), taken(1)], holds).toSorted()).toEqual(['a', 'b']);
  });

  test('is no more than needed for a number, the youngest first', () => {
    const holds = held({ a: ['GPU 0', 'GPU 1'], b: ['GPU 2'], c: ['GPU 3'] });
    const seen = [taken(0), taken(1), taken(2), taken(3)];
    expect(names(serve(1, { port: 9 }), seen, holds)).toEqual(['c']);
    expect(names(serve(2, { port: 9 }), seen, holds).toSorted()).toEqual(['b', 'c']);
    expect(names(serve(4, { port: 9 }), seen, holds).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('spares those whose end turns out not to be needed', () => {
    const holds = held({ a: ['GPU 0', 'GPU 1', 'port 8000'], b: ['GPU 2'] });
    expect(names(serve(2), [taken(0), taken(1), taken(2)], holds)).toEqual(['a']);
  });

  test('is nobody where others are in the way as well', () => {
    const holds = held({ a: ['GPU 0'] });
    expect(names(serve(['0', '1']), [taken(0), busy(1)], holds)).toEqual([]);
    expect(names(serve(2), [taken(0), busy(1)], holds)).toEqual([]);
  });
});
