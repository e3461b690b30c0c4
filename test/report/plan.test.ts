import { describe, expect, test } from 'vitest';
import { emptyReading } from '../../src/log/reading.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import { phasePlan } from '../../src/report/plan.ts';
import { tasksOf, textsOf } from '../../src/report/texts.ts';
import type { Run } from '../../src/run/run.ts';
import { plainMessage } from '../support/plain.ts';
import { sampleRun, sampleTraining, T0, VIEW, visits } from './sample-run.ts';

const START = { queued: 0, checking: 0.4, launched: 2, configuring: 9, connecting: 12, loading: 15 };
const PROGRESS = { phase: 'loading', done: 3, total: 15 } as const;
const HABITS = (
  [
    ['loading', 62_000],
    ['compiling', 60_000],
  ] as const
).map(([phase, ms]) => ({ phase, starts: 3, ms, laterMs: 70_000, silentMs: 5000 }));

/** State, title and details of each task. */
function tasks(run: Run): string[] {
  const plan = phasePlan(run);
  if (plan === null) return [];
  return tasksOf(plan).map((task) => [task.status, ...textsOf(task)].join(' | '));
}

test('a start shows what is done with its time, what is now with its bar, what is known to come, and how long that takes as a rule', () => {
  const reading = { ...emptyReading('serve'), facts: { world_size: 2, nccl: '2.28.9' } };
  const finding = { check: 'port', label: 'Port', found: 'free', needed: null, advice: null, isFinal: false };
  const checks = { tookMs: 800, forcedBy: null, findings: [{ ...finding, verdict: 'passed' } as const] };
  const work = { ...NO_WORK, habits: HABITS };
  expect(tasks(sampleRun({ visits: visits(START), progress: PROGRESS, reading, checks, work }))).toEqual([
    'complete | Checking the host · 1.6 s | 1 check passed in 0.8 s',
    'complete | Process started · 7 s',
    'complete | Reading its configuration · 3 s',
    'complete | Connecting the GPUs · 3 s | World size 2, NCCL 2.28.9',
    'in_progress | Loading weights 3/15 ▰▰▱▱▱▱▱▱▱▱ 20 % · 45 s | Usually 1 min 2 s',
    'pending | Compiling | Usually 1 min',
    'pending | Verifying',
  ]);
});

describe('a folded plan says by its title how far it is', () => {
  const title = (run: Run): string | undefined => phasePlan(run)?.title;

  test('with the number of steps where earlier starts tell it', () => {
    expect(title(sampleRun({ visits: visits(START) }))).toBe('Step 5, 1 min since the command');
    const work = { ...NO_WORK, habits: HABITS };
    expect(title(sampleRun({ visits: visits(START), work }))).toBe('Step 5 of 7, 1 min since the command');
  });

  test('before its first step', () => {
    expect(title(sampleRun({ phase: 'queued', visits: visits({ queued: 0 }) }))).toBe('Steps to come');
  });
});

test('its block keeps its name through edits, or it would close under who has it open', () => {
  const early = phasePlan(sampleRun({ visits: visits(START) }));
  const late = phasePlan(sampleRun({ phase: 'compiling', visits: visits({ ...START, compiling: 40 }) }));
  expect(early?.block_id).toBe(late?.block_id);
  expect(early?.block_id).toContain('vigil-kpro5-1a2b');
});

test('tasks of one plan have names of their own, though a phase comes twice', () => {
  const twice = [
    ...visits({ ...START, compiling: 40 }),
    ...visits({ configuring: 100, connecting: 102, loading: 104 }),
  ];
  const ids = tasksOf(phasePlan(sampleRun({ visits: twice })) ?? { type: 'plan', title: '' }).map(
    ({ task_id }) => task_id,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(8);
});

test('a run that stands still says so at the task that it is in', () => {
  const run = sampleRun({ visits: visits(START), progress: PROGRESS, pulse: 'stuck', seenAt: T0 + 300_000 });
  expect(tasks(run)).toContain('in_progress | Loading weights 3/15 ▰▰▱▱▱▱▱▱▱▱ 20 %, stuck · 4 min 45 s');
});

test('a training shows its target server, and counts its checkpoints to the training', () => {
  const record = { step: 120, epoch: 1, loss: 4.1, accuracy: null, tokensPerSecond: null };
  const mark = { record, number: 121, at: T0 + 440_000 };
  const training = { since: T0 + 200_000, first: mark, last: mark };
  const seen = (
    [
      ['launched', 2],
      ['target_starting', 8],
      ['target_ready', 150],
      ['preparing', 160],
      ['training', 200],
      ['checkpointing', 300],
      ['training', 310],
    ] as const
  ).map(([phase, second]) => ({ phase, at: T0 + second * 1000 }));
  const reading = { ...emptyReading('train'), facts: { epochs: 5, steps_per_epoch: 80 } };
  expect(tasks(sampleTraining({ training, visits: seen, reading, seenAt: T0 + 441_000 }))).toEqual([
    'complete | Process started · 6 s',
    'complete | Starting the target server · 2 min 22 s',
    'complete | Target server ready · 10 s',
    'complete | Preparing the training · 40 s',
    'in_progress | Training step 120 ▰▰▰▱▱▱▱▱▱▱ 30 % · 4 min 1 s',
  ]);
});

describe('one line takes the place of the plan', () => {
  const line = 'checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading';
  const waiting = { ahead: [], count: null, holders: [], why: null, after: [] };

  test.each([
    [{ phase: 'ready', visits: visits({ ...START, ready: 102 }) }, `${line} 1 min 27 s › ready 2026-11-30`],
    [{ stopBy: 'U0BOB', visits: visits(START) }, `${line} since 2026-11-30`],
    [{ phase: 'failed', visits: visits({ ...START, failed: 40 }) }, `${line} 25 s › failed 2026-11-30`],
    [{ phase: 'queued', waiting, visits: visits({ queued: 0 }) }, 'queued since 2026-11-30'],
  ] as const)('of %j', (changes, expected) => {
    const card = renderCard(sampleRun(changes), VIEW);
    expect(card.blocks.some(({ type }) => type === 'plan')).toBe(false);
    expect(plainMessage(card)).toContain(expected);
  });
});

test('the phase that it failed in stands out in its line', () => {
  const card = JSON.stringify(
    renderCard(sampleRun({ phase: 'failed', visits: visits({ ...START, failed: 40 }) }), VIEW),
  );
  expect(card).toContain('connecting 3 s › *loading 25 s* › failed');
});

test('whoever asks for details sees the phases as lines, which nobody has to open', () => {
  const details = renderDetails(sampleRun({ visits: visits(START), progress: PROGRESS }), VIEW);
  expect(details.blocks.some(({ type }) => type === 'plan')).toBe(false);
  expect(plainMessage(details)).toContain(
    '✅ Connecting the GPUs · 3 s\n⏳ Loading weights 3/15 ▰▰▱▱▱▱▱▱▱▱ 20 % · 45 s\n▫️ Verifying',
  );
});
