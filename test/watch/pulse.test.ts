import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { CommandFailed, HostUnreachable } from '../../src/errors.ts';
import type { ProcessLook, WorkView } from '../../src/host/sample.ts';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { openHostTime } from '../../src/watch/clock.ts';
import { NO_COMMANDS } from '../../src/watch/commands.ts';
import { watchPulse } from '../../src/watch/pulse.ts';
import { openTrees } from '../../src/watch/trees.ts';
import type { Watch } from '../../src/watch/watch.ts';
import { sampleRun, T0 } from '../report/sample-run.ts';
import { RAS_ANSWER } from '../support/ras-server.ts';

const PATIENT = { timeout: 10_000, interval: 2 };
const RANKS: readonly ProcessLook[] = [1182, 1183].map((pid) => ({
  ...{ pid, start: 7, cpuTicks: 100, minorFaults: 1, majorFaults: 0, rssPages: 200_000 },
  ...{ readBytes: 0, writeBytes: 0, readChars: 0 },
}));
const FAILED = new CommandFailed({ host: 'kpro5', script: 'x', exitCode: 1, stderr: '' });
const NO_GPUS = { gpus: null, doubt: 'missing' } as const;
const NEVER = new Promise<never>(() => {});

let letGo = new AbortController();
afterEach(() => {
  letGo.abort();
  letGo = new AbortController();
});

interface Scene {
  readonly seen: Observation[];
  readonly asked: Record<'gpuView' | 'work' | 'ras' | 'stacks', number>;
  /** How often the watch has looked at the clock. */
  ticks: number;
  now: number;
}

/**
 * A watch over a server that loads, whose log is silent since T0 (host time, ms). Each look takes 15 s; meanwhile samples go on. The host
 * shows two ranks that don't move, and does what `does` says instead.
 */
function open(does: Partial<Pick<Host, 'gpuView' | 'work' | 'ras' | 'stacks'>> = {}, now = T0 + 600_000): Scene {
  const scene: Scene = { seen: [], asked: { gpuView: 0, work: 0, ras: 0, stacks: 0 }, ticks: 0, now };
  const pids = RANKS.map(({ pid, start }) => ({ pid, start }));
  let run = sampleRun({ heard: T0, seenAt: now, tree: pids, placement: null });
  const put = (...observations: Observation[]): void => {
    scene.seen.push(...observations);
    run = stepAll(run, observations).run;
  };
  const sampled = (): void => {
    const sample = { at: scene.now, bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree: null };
    put({ kind: 'sample', sample, at: scene.now, seen: scene.now });
  };
  sampled();
  const still = async (): Promise<WorkView> => {
    scene.now += 15_000;
    sampled();
    return {
      at: scene.now,
      bytes: new Map(),
      totals: new Map(),
      partial: new Set(),
      received: 5,
      tree: RANKS.map((rank) => ({ ...rank })),
      states: [],
    };
  };
  const known: Record<string, unknown> = {
    ...{
      name: 'kpro5',
      gpuView: async () => NO_GPUS,
      work: still,
      ras: async () => null,
      stacks: async () => [],
      ...does,
    },
  };
  const host = new Proxy(known, {
    get(of, key: keyof Scene['asked']) {
      if (scene.asked[key] !== undefined) scene.asked[key] += 1;
      return of[key];
    },
  });
  const clock = {
    now: () => {
      scene.ticks += 1;
      return scene.now;
    },
  };
  const watch = {
    ...{ host, clock, hostTime: openHostTime(clock), inbox: { run: () => run, put }, trees: openTrees() },
    ...{ timings: { ...PRODUCTION, pulse: 1, look: 20 }, contact: { isOver: false }, signal: letGo.signal },
    readCommands: async () => NO_COMMANDS,
    logger: pino({ level: 'silent' }),
  };
  void watchPulse(watch as unknown as Watch);
  return scene;
}

const kinds = ({ seen }: Scene, kind: Observation['kind']) => seen.filter((one) => one.kind === kind);

test('beside a log that moves nothing is asked', async () => {
  const scene = open({}, T0 + 10_000);
  await expect.poll(() => scene.ticks, PATIENT).toBeGreaterThan(5);
  expect(scene.asked).toEqual({ gpuView: 0, work: 0, ras: 0, stacks: 0 });
});

test('an nvidia-smi that hangs is asked once, and holds up nothing else', async () => {
  const scene = open({ gpuView: () => NEVER });
  await expect.poll(() => kinds(scene, 'motion').length, PATIENT).toBeGreaterThan(3);
  expect(scene.asked.gpuView).toBe(1);
  expect(kinds(scene, 'motion').at(-1)).toMatchObject({
    motion: { troubles: [expect.stringContaining('nvidia-smi')] },
  });
});

test('what fails is left out, and rests before it is asked again', async () => {
  const scene = open({ gpuView: () => Promise.reject(FAILED), ras: () => Promise.reject(FAILED) });
  await expect.poll(() => kinds(scene, 'motion').length, PATIENT).toBeGreaterThan(5);
  expect(scene.asked.work).toBeGreaterThan(6);
  expect([scene.asked.gpuView, scene.asked.ras]).toEqual([1, 1]);
});

test('a host that is out of reach ends no watch', async () => {
  const away = () => Promise.reject(new HostUnreachable('kpro5', 'away'));
  const scene = open({ gpuView: away, work: away, ras: away });
  await expect.poll(() => scene.asked.work, PATIENT).toBeGreaterThan(4);
  expect(kinds(scene, 'motion')).toEqual([]);
});

test('a look holds the GPUs of the run, what NCCL says of its ranks, and its processes', async () => {
  const processes = [{ pid: 1183, command: 'python', usedMib: 9, user: null, since: null, run: null }];
  const gpu = { index: '1', uuid: 'GPU-1', name: 'H200', totalMib: 100, usedMib: 50, freeMib: 50, utilization: 100 };
  const other = { ...gpu, index: '0', uuid: 'GPU-0', utilization: 3, isMig: false, migs: [], processes: [] };
  let asked = 0;
  const scene = open({
    gpuView: async () => ({ gpus: [other, { ...gpu, isMig: false, migs: [], processes }], doubt: null }),
    // Another job's processes listen there, too.
    ras: async () => (asked++ % 2 === 0 ? RAS_ANSWER.replaceAll('118', '99') : RAS_ANSWER),
  });
  await expect.poll(() => kinds(scene, 'motion').length, PATIENT).toBeGreaterThan(0);
  const [first] = kinds(scene, 'motion');
  expect(first).toMatchObject({
    motion: { overMs: 15_000, moved: [], cores: 0, gpuUse: 100, behind: [{ operation: 'AllReduce' }] },
  });
});

test('a clock that is set back holds up one comparison', async () => {
  let looks = 0;
  const work = async (): Promise<WorkView> => {
    const at = T0 + 600_000 + (looks++ === 0 ? 0 : -7_200_000) + looks * 15_000;
    return {
      at,
      bytes: new Map(),
      totals: new Map(),
      partial: new Set(),
      received: null,
      tree: [...RANKS.map((one) => ({ ...one }))],
      states: [],
    };
  };
  const scene = open({ work });
  await expect.poll(() => looks, PATIENT).toBeGreaterThan(6);
  expect(kinds(scene, 'motion').length).toBeGreaterThan(3);
});

test('the stacks of what stands still are looked at once', async () => {
  const dump = { pid: 1182, start: 7, by: 'py-spy' as const, text: 'Thread 1182' };
  const scene = open({ stacks: async () => [dump] });
  await expect.poll(() => kinds(scene, 'stacks').length, PATIENT).toBe(1);
  const { length } = kinds(scene, 'motion');
  await expect.poll(() => kinds(scene, 'motion').length, PATIENT).toBeGreaterThan(length + 3);
  expect(kinds(scene, 'stacks')).toMatchObject([{ stacks: [dump] }]);
  expect(scene.asked.stacks).toBe(1);
});

test.each([
  ['a host that fails at it is not asked again', FAILED, 1],
  ['a host that was out of reach is asked again', new HostUnreachable('kpro5', 'away'), 2],
])('of stacks %s', async (_, error, times) => {
  let left = 1;
  const stacks = async () => {
    left -= 1;
    if (left >= 0) throw error;
    return [];
  };
  const scene = open({ stacks });
  await expect.poll(() => kinds(scene, 'stacks'), PATIENT).toMatchObject([{ stacks: [] }]);
  const { length } = kinds(scene, 'motion');
  await expect.poll(() => kinds(scene, 'motion').length, PATIENT).toBeGreaterThan(length + 3);
  expect(scene.asked.stacks).toBe(times);
});
