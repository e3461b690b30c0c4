import { afterEach, expect, test } from 'vitest';
import type { History } from '../../src/journal.ts';
import type { PaceRecord } from '../../src/pulse/pace.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { openHostTime } from '../../src/watch/clock.ts';
import { watchPace } from '../../src/watch/pace.ts';
import type { Watch } from '../../src/watch/watch.ts';
import { sampleRun, visits } from '../report/sample-run.ts';

const BEFORE: PaceRecord = { run: 'before', at: 1, phases: [{ phase: 'loading', ms: 9, silentMs: 4 }] };
const READY = { phase: 'ready', visits: visits({ launched: 2, loading: 5, ready: 65 }) } as const;

let letGo = new AbortController();
afterEach(() => {
  letGo.abort();
  letGo = new AbortController();
});

function open(first: Run, known: readonly PaceRecord[] = []) {
  const noted: PaceRecord[] = [];
  const seen: Observation[] = [];
  const reads: string[] = [];
  const scene = { run: first, noted, seen, reads, looks: 0 };
  const history: History = {
    read: async (host, recipe) => {
      reads.push(`${host} ${recipe}`);
      return known;
    },
    note: async (_host, _recipe, record) => void noted.push(record),
  };
  const clock = { now: () => 5 };
  const run = () => {
    scene.looks += 1;
    return scene.run;
  };
  const watch = {
    ...{ history, clock, hostTime: openHostTime(clock), signal: letGo.signal },
    ...{ inbox: { run, put: (...all: Observation[]) => seen.push(...all) }, timings: { ...PRODUCTION, pulse: 1 } },
  };
  return { scene, end: watchPace(watch as unknown as Watch) };
}

test('a run learns from the earlier starts of its recipe on its host, not from its own', async () => {
  const own = { ...BEFORE, run: sampleRun({}).request.id };
  const { scene } = open(sampleRun({}), [own, BEFORE]);
  await expect.poll(() => scene.seen).toMatchObject([{ kind: 'paced', pace: [BEFORE] }]);
  expect(scene.reads).toEqual(['kpro5 dflash']);
});

test('a server is noted once when it gets ready', async () => {
  const { scene, end } = open(sampleRun({}));
  await expect.poll(() => scene.looks).toBeGreaterThan(5);
  expect(scene.noted).toEqual([]);
  scene.run = sampleRun(READY);
  await end;
  expect(scene.noted).toMatchObject([
    { run: 'vigil-kpro5-1a2b', phases: [{ phase: 'launched' }, { phase: 'loading', ms: 60_000 }] },
  ]);
});

test('a server that is ready when its watch begins is noted, too', async () => {
  const { scene, end } = open(sampleRun(READY));
  await end;
  expect(scene.noted).toHaveLength(1);
});

test('what somebody started by hand is neither read nor noted', async () => {
  const found = { process: null, size: 0, trigger: null, answered: true };
  const { scene, end } = open(sampleRun(READY, { found }), [BEFORE]);
  await end;
  expect([scene.reads, scene.seen, scene.noted]).toEqual([[], [], []]);
});
