import { describe, expect, test } from 'vitest';
import { NO_WORK } from '../../src/pulse/work.ts';
import { comingSteps, passedSteps } from '../../src/report/steps.ts';
import type { Phase, Run } from '../../src/run/run.ts';
import { sampleRun, sampleTraining, T0, visits } from './sample-run.ts';

const BEFORE_LOADING = { queued: 0, checking: 1, launched: 2, configuring: 9, connecting: 12 };
const START = { ...BEFORE_LOADING, loading: 15 };

function habits(starts: Partial<Record<Phase, number>>): Pick<Run, 'work'> {
  const known = Object.entries(starts).map(([phase, count]) => ({
    ...{ phase: phase as Phase, starts: count, ms: 1000, laterMs: 1000, silentMs: 1000 },
  }));
  return { work: { ...NO_WORK, habits: known } };
}

describe('what is known to come', () => {
  test('is what no start does without, while nothing is known of earlier ones', () => {
    expect(comingSteps(sampleRun({ phase: 'queued', visits: visits({ queued: 0 }) }))).toEqual([
      'checking',
      'launched',
      'loading',
      'verifying',
    ]);
    expect(comingSteps(sampleRun({ visits: visits(START) }))).toEqual(['verifying']);
  });

  test('is what most earlier starts went through, and never a download', () => {
    const known = habits({ loading: 4, downloading: 4, compiling: 1, kv_cache: 4, capturing: 3, verifying: 4 });
    const run = sampleRun({ visits: visits(BEFORE_LOADING), phase: 'connecting', ...known });
    expect(comingSteps(run)).toEqual(['loading', 'kv_cache', 'capturing', 'verifying']);
  });

  test('is nothing that is behind it, though the log showed things out of order', () => {
    const known = habits({ compiling: 3, kv_cache: 3, capturing: 3 });
    const seen = visits({ ...START, compiling: 50, kv_cache: 30 });
    expect(comingSteps(sampleRun({ phase: 'kv_cache', visits: seen, ...known }))).toEqual(['capturing', 'verifying']);
  });

  test('of a server that nobody can ask is no verification', () => {
    const run = sampleRun({ visits: visits(START) }, { argv: ['vllm', 'serve', 'm', '--headless'], address: null });
    expect(comingSteps(run)).toEqual([]);
  });

  test('of a server that its script starts again is all of it again', () => {
    const again = visits({ configuring: 200, connecting: 202 });
    const run = sampleRun({ phase: 'connecting', visits: [...visits({ ...START, compiling: 60 }), ...again] });
    expect(comingSteps(run)).toEqual(['loading', 'verifying']);
  });

  test('of a training is its target server where it has one, and the training', () => {
    const seen = visits({ queued: 0, checking: 1, launched: 2 });
    expect(comingSteps(sampleTraining({ phase: 'launched', visits: seen }))).toEqual(['target_starting', 'training']);
    const alone = sampleTraining({ phase: 'launched', visits: seen }, { targetLog: null });
    expect(comingSteps(alone)).toEqual(['training']);
  });
});

test('phases that are behind it have all their time, however often they came', () => {
  const seen = (['training', 'checkpointing', 'training', 'checkpointing', 'finished'] as const).map(
    (phase, index) => ({
      phase,
      at: T0 + index * 10_000,
    }),
  );
  expect(passedSteps(sampleTraining({ phase: 'finished', visits: seen }))).toEqual([
    { phase: 'training', ms: 20_000 },
    { phase: 'checkpointing', ms: 20_000 },
  ]);
});
