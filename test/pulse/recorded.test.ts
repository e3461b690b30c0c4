/** Two ranks of which one hangs in an all-reduce, as they were recorded: they must never look like work. */

import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/pulse/evidence.ts';
import { motionBetween } from '../../src/pulse/motion.ts';
import { parseRas } from '../../src/pulse/ras.ts';
import { wantsStacks } from '../../src/pulse/wants.ts';
import { replay } from './replay.ts';
import { evidence, hungRanks, RAS_TEXT, worker } from './samples.ts';

const RAS = parseRas(RAS_TEXT, [1182, 1183]);
const SPACINGS = [1000, 5000, 15_000];
const MINUTE = 60_000;

describe.each(SPACINGS)('looked at every %i ms', (everyMs) => {
  test.each([
    ['with RAS', RAS],
    ['without RAS', null],
  ])('%s no comparison shows work', (_name, ras) => {
    const times = Array.from({ length: 60 }, (_, index) => (index + 1) * everyMs);
    const motions = times.map((at) => motionBetween(hungRanks(at - everyMs, ras), hungRanks(at, ras)));
    expect(motions.map((motion) => motion?.moved)).toEqual(times.map(() => []));
  });

  test.each(['training', 'connecting', 'loading', 'compiling'] as const)('in %s it is never told as quiet', (phase) => {
    const kind = phase === 'training' ? 'train' : 'serve';
    for (const ras of [RAS, null]) {
      const { told, run } = replay({
        phase,
        kind,
        everyMs,
        forMs: (phase === 'compiling' ? 31 : 9) * MINUTE,
        seen: (at) => hungRanks(at, ras),
      });
      expect(told.filter((one) => one === 'quiet' || one === 'moving')).toEqual([]);
      expect(['busy', 'stuck']).toContain(run.pulse);
      expect(told.at(-1)).toMatch(/^(?:busy|stuck)!$/);
    }
  });
});

test('with RAS the rank that sleeps is named, not the one that spins, as soon as the budget is over', () => {
  const { told, run, happened } = replay({
    phase: 'training',
    kind: 'train',
    forMs: 5 * MINUTE + 10_000,
    seen: (at) => hungRanks(at, RAS),
  });
  expect(told).toEqual(['stuck!']);
  const behind = { rank: 1, pid: 1183, gpu: '1', count: 90, also: [] };
  expect(run.work.culprit).toEqual({ ...behind, operation: 'AllReduce', highest: 93 });
  expect(happened[0]).toMatchObject({ kind: 'pulse', stillMs: 5 * MINUTE, culprit: { rank: 1 } });
  expect(wantsStacks(run).map(({ pid }) => pid)).toEqual([1183, 1182]);
});

test('without RAS the use of CPU and GPU is told as busy, and later as the sign of a rank that waits', () => {
  const { told, run } = replay({ phase: 'connecting', forMs: 6 * MINUTE, seen: (at) => hungRanks(at, null) });
  expect(told).toEqual(['busy', 'busy!']);
  expect(wantsStacks(run).map(({ pid }) => pid)).toEqual([1183, 1182]);
});

test('ranks that are ahead may launch some more before they wait: that is no work of the rank that is behind', () => {
  const seen = (at: number) =>
    hungRanks(at, parseRas(RAS_TEXT.replace('operation 93', `operation ${93 + at / 1000}`), [1182, 1183]));
  const { told, run } = replay({ phase: 'training', kind: 'train', forMs: 6 * MINUTE, seen });
  expect(told).toEqual(['stuck!']);
  expect(run.work.culprit).toMatchObject({ rank: 1, count: 90 });
});

test('counts that grow on all ranks are work', () => {
  const seen = (at: number) => {
    const text = RAS_TEXT.replace(/operation (\d+)/g, (_, count) => `operation ${Number(count) + at / 1000}`);
    return hungRanks(at, parseRas(text, [1182, 1183]));
  };
  expect(replay({ phase: 'training', kind: 'train', forMs: 20 * MINUTE, seen }).told).toEqual(['quiet']);
});

test('whatever CPU and GPU use is added, what stands still is never told as quiet', () => {
  for (let round = 0; round < 100; round += 1) {
    const [cores, use] = [(round % 20) / 2, (round * 7) % 101];
    const seen = (at: number): Evidence => {
      const { look } = hungRanks(at, null);
      const gpus = look?.gpus?.map((gpu) => ({ ...gpu, utilization: use })) ?? [];
      const tree = [worker(1182, { cpuTicks: Math.round((at / 10) * cores) }), worker(1183)];
      return evidence(at, tree, look === null ? null : { ...look, gpus, received: at * round });
    };
    const { told, run } = replay({ phase: 'loading', budgets: { loading: 4 }, everyMs: 2000, forMs: 15_000, seen });
    expect(told.filter((one) => one === 'quiet' || one === 'moving')).toEqual([]);
    expect(['busy', 'stuck']).toContain(run.pulse);
  }
});
