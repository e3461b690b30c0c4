import { describe, expect, test } from 'vitest';
import { emptyReading, type Reading } from '../../src/log/reading.ts';
import { busyBudget, silenceBudget, stillWindow } from '../../src/pulse/budgets.ts';
import { habitsOf } from '../../src/pulse/habits.ts';
import type { PaceRecord } from '../../src/pulse/pace.ts';
import { paceOf } from '../../src/pulse/record.ts';
import { timeLeft } from '../../src/pulse/time-left.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import type { TrainRequest } from '../../src/run/request.ts';
import type { Phase, Run } from '../../src/run/run.ts';
import { newTarget } from '../../src/run/target.ts';
import { sampleRun, sampleTraining, T0, visits } from '../report/sample-run.ts';
import { still } from './samples.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Starts whose phases took so many seconds, silent for half of each. */
function starts(...all: readonly Partial<Record<Phase, number>>[]): PaceRecord[] {
  return all.map((seconds, index) => ({
    run: `run-${index}`,
    at: T0,
    phases: Object.entries(seconds).map(([phase, second]) => ({
      ...{ phase: phase as Phase, ms: second * SECOND, silentMs: (second * SECOND) / 2 },
    })),
  }));
}

function run(phase: Phase, changes: Partial<Run> & { pace?: readonly PaceRecord[]; budgets?: Record<string, number> }) {
  const { pace = [], budgets, ...rest } = changes;
  const work = { ...NO_WORK, habits: habitsOf(pace) };
  return sampleRun({ phase, work, ...rest }, budgets === undefined ? {} : { budgets });
}

describe('a silence budget', () => {
  test.each<[string, Phase, Parameters<typeof run>[1], number]>([
    ['is the default before anything is known', 'loading', {}, MINUTE],
    ['is long where kernels are compiled without a word', 'kv_cache', {}, 3 * MINUTE],
    ['is the recipe’s, where it gives one', 'loading', { budgets: { loading: 4 } }, 4 * SECOND],
    ['is the longest silence by half as much again, and 15 s', 'loading', { pace: starts({ loading: 200 }) }, 165_000],
    [
      'takes the longest of all starts',
      'loading',
      { pace: starts({ loading: 200 }, { loading: 20 }, { connecting: 900 }) },
      165_000,
    ],
    [
      'is at least half of the default',
      'compiling',
      { pace: starts({ compiling: 4 }, { compiling: 4 }, { compiling: 5 }) },
      90_000,
    ],
    ['is the default still after one lucky start', 'compiling', { pace: starts({ compiling: 4 }) }, 180_000],
    [
      'is none that was learnt from the one start that hung',
      'loading',
      { pace: starts({ loading: 90_000 }, { loading: 200 }, { loading: 20 }, { loading: 20 }) },
      165_000,
    ],
    ['is at most 30 min', 'loading', { pace: starts({ loading: 90_000 }) }, 30 * MINUTE],
    [
      'is learnt, whatever the recipe said before',
      'loading',
      { budgets: { loading: 4 }, pace: starts({ loading: 200 }) },
      165_000,
    ],
  ])('%s', (_name, phase, changes, expected) => {
    expect(silenceBudget(run(phase, changes))).toBe(expected);
  });

  test('of a training grows with the distance of its records', () => {
    const record = { step: 1, epoch: null, loss: 1, accuracy: null, tokensPerSecond: null };
    const first = { record, at: 0, number: 1 };
    const training = { since: 0, first, last: { record, at: 30 * MINUTE, number: 4 } };
    expect(silenceBudget(sampleTraining({ training }))).toBe(50 * MINUTE);
    expect(silenceBudget(sampleTraining({ training: { ...training, last: first } }))).toBe(5 * MINUTE);
    // One of the thirty came after a hang of ten hours.
    const hung = { ...training, last: { record, at: 600 * MINUTE, number: 31 } };
    expect(silenceBudget(sampleTraining({ training: hung }))).toBe(60 * MINUTE);
    const slow = { ...training, last: { record, at: 600 * MINUTE, number: 6 } };
    expect(silenceBudget(sampleTraining({ training: slow }))).toBe(180 * MINUTE);
  });
});

test('busy is borne for long in compiling and for a short while in connecting, and never less than silence', () => {
  expect(busyBudget(run('compiling', {}))).toBe(30 * MINUTE);
  expect(busyBudget(run('connecting', {}))).toBe(3 * MINUTE);
  expect(busyBudget(run('loading', {}))).toBe(5 * MINUTE);
  expect(busyBudget(run('compiling', { pace: starts({ compiling: 1200 }) }))).toBe(1830 * SECOND);
  const quick = { connecting: 4 };
  expect(busyBudget(run('connecting', { pace: starts(quick) }))).toBe(3 * MINUTE);
  expect(busyBudget(run('connecting', { pace: starts(quick, quick, quick) }))).toBe(90 * SECOND);
});

test('a training that waits for its target server bears what that server’s own phase takes', () => {
  const target = newTarget({ ...sampleTraining({}).request, targetLog: '/t.log' } as TrainRequest);
  const compiles = { ...emptyReading('serve'), phases: ['loading', 'compiling'] as const };
  const waits = (reading: Reading) =>
    sampleTraining({ phase: 'target_starting', training: null, target: target && { ...target, reading } });
  expect(busyBudget(waits(emptyReading('serve')))).toBe(15 * MINUTE);
  expect(busyBudget(waits(compiles))).toBe(30 * MINUTE);
});

test('standing still is judged in 30 s, sooner where the budget is short', () => {
  expect([run('loading', {}), run('loading', { budgets: { loading: 4 } })].map(stillWindow)).toEqual([30_000, 2000]);
});

describe('the time left', () => {
  const pace = starts(
    { connecting: 4, loading: 60, compiling: 100 },
    { connecting: 6, loading: 80, compiling: 20 },
    { connecting: 5, loading: 70, kv_cache: 10, compiling: 30 },
  );
  const loading = (pace: readonly PaceRecord[], changes: Partial<Run> = {}) =>
    run('loading', { pace, visits: visits({ queued: 0, loading: 10 }), ...changes });

  test('is the rest of this phase and the phases after it, by the medians of earlier starts', () => {
    expect(timeLeft(loading(pace), T0 + 30 * SECOND)).toEqual({
      ...{ kind: 'left', ms: 90 * SECOND, readyAt: T0 + 120 * SECOND, starts: 3 },
    });
    expect(timeLeft(loading(starts({ loading: 60 }, { loading: 100 })), T0 + 10 * SECOND)).toMatchObject({
      ms: 80 * SECOND,
    });
  });

  test('is longer than usual once the median is passed', () => {
    expect(timeLeft(loading(pace), T0 + 81 * SECOND)).toEqual({ kind: 'longer', usualMs: 70 * SECOND, starts: 3 });
  });

  test('is at least that of a download that is seen, and unknown where nobody knows how much comes', () => {
    const coming = (total: number | null) => {
      const download = { what: 'download', amount: 100, from: 100, to: 200, total } as const;
      return { work: { ...NO_WORK, habits: habitsOf(pace), motion: still(T0, { moved: [download] }) } };
    };
    const at = T0 + 10 * SECOND;
    expect(timeLeft(loading(pace, coming(6200)), at)).toMatchObject({ ms: 600 * SECOND + 40 * SECOND });
    expect(timeLeft(loading(pace, coming(201)), at)).toMatchObject({ ms: 110 * SECOND });
    expect(timeLeft(loading(pace, coming(null)), at)).toBeNull();
  });

  test('is unknown without history, of a phase that none of them had, when ready, and when nothing moves', () => {
    expect(timeLeft(loading([]), T0)).toBeNull();
    expect(timeLeft(loading(starts({ connecting: 3 })), T0)).toBeNull();
    expect(timeLeft(loading(pace, { phase: 'ready' }), T0)).toBeNull();
    expect(timeLeft(loading(pace, { pulse: 'stuck' }), T0)).toBeNull();
  });
});

describe('what a start teaches', () => {
  const seen = visits({ queued: 0, checking: 1, launched: 2, loading: 9, compiling: 30, ready: 90 });
  const work = { ...NO_WORK, silences: [{ phase: 'loading', ms: 8000 }] } as const;

  test('is how long each phase took and how long it was silent', () => {
    expect(paceOf(sampleRun({ phase: 'ready', visits: seen, work }), T0)).toEqual({
      run: 'vigil-kpro5-1a2b',
      at: T0,
      phases: [
        { phase: 'launched', ms: 7000, silentMs: 0 },
        { phase: 'loading', ms: 21_000, silentMs: 8000 },
        { phase: 'compiling', ms: 60_000, silentMs: 0 },
      ],
    });
  });

  test('is nothing before it is ready, and of one that was started several times', () => {
    expect(paceOf(sampleRun({ phase: 'compiling', visits: seen, work }), T0)).toBeNull();
    expect(paceOf(sampleRun({ phase: 'failed', visits: seen, work }), T0)).toBeNull();
    expect(paceOf(sampleRun({ phase: 'ready', visits: seen, work, restarts: 1 }), T0)).toBeNull();
  });

  test('of a training comes when it has started, and once more when it has finished', () => {
    const record = { step: 1, epoch: null, loss: 1, accuracy: null, tokensPerSecond: null };
    const mark = { record, at: T0, number: 1 };
    const training = { since: T0, first: mark, last: mark };
    const at = (...phases: Phase[]) => phases.map((phase, index) => ({ phase, at: T0 + index * SECOND }));
    const taught = (phase: Phase, ...phases: Phase[]) =>
      paceOf(sampleTraining({ phase, training, visits: at(...phases) }), T0)?.phases.map(({ phase, ms }) => [
        phase,
        ms,
      ]);
    expect(taught('training', 'launched', 'preparing', 'training')).toEqual([
      ['launched', 1000],
      ['preparing', 1000],
    ]);
    const all = ['launched', 'training', 'checkpointing', 'training', 'finished'] as const;
    expect(taught('finished', ...all)).toEqual([
      ['launched', 1000],
      ['training', 2000],
      ['checkpointing', 1000],
    ]);
    expect(paceOf(sampleTraining({ phase: 'preparing' }), T0)).toBeNull();
  });
});
