/** How long a log may be silent before that asks for evidence, and how long CPU and GPU alone may be in use before that is told. */

import type { Phase, Run } from '../run/run.ts';
import type { Habit } from './habits.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Before anything is learnt: how long the log is silent in a good start, with room. Nothing is said between the KV cache and the graphs while kernels are compiled for minutes. */
const SILENT_MS: Readonly<Partial<Record<Phase, number>>> = {
  launched: 2 * MINUTE,
  configuring: 2 * MINUTE,
  connecting: MINUTE,
  downloading: MINUTE,
  loading: MINUTE,
  compiling: 3 * MINUTE,
  kv_cache: 3 * MINUTE,
  capturing: 3 * MINUTE,
  verifying: 2 * MINUTE,
};
/** Of a training's phases, which hold everything from a tokeniser's first pass to a target server's start; and at least, where silence is all that can be seen (ms). */
export const SILENCE_MS = 5 * MINUTE;

/**
 * So many silence budgets of nothing but CPU or GPU use are told, before anything is learnt: compilers show nothing else for long, ranks that
 * connect don't. In a training it is told before the ten minutes are over after which torch's watchdog ends the ranks that wait.
 */
const BUSY_TIMES: Readonly<Partial<Record<Phase, number>>> = {
  connecting: 3,
  downloading: 3,
  compiling: 10,
  kv_cache: 5,
  capturing: 5,
  training: 1.5,
  checkpointing: 1.5,
};
const OTHER_TIMES = 3;
/** The same once the usual silence is known. */
const LEARNT_TIMES = 2;
const MOST_BUSY_MS = 60 * MINUTE;

/** What was learnt: the longest silence so far, by half as much again, and this. */
const LEARNT_FACTOR = 1.5;
const LEARNT_MORE_MS = 15 * SECOND;
/**
 * Never less than half of what would hold without history: a few starts from a warm page cache must not make the first one from disk an alarm.
 * Never more than this: one start that hung for hours and was mended by hand must not silence the pulse for good.
 */
const MOST_LEARNT_MS = 30 * MINUTE;

/** So many times the usual distance of two metric records is a training's silence. */
const USUAL_DISTANCES = 5;

/** Nothing moves for this long, and it is stuck; half of the recipe's budget where that is shorter (ms). */
const WINDOW_MS = 30 * SECOND;

type Timed = Pick<Run, 'request' | 'phase' | 'training' | 'work'>;

/** ms of silence that ask for evidence: they are no verdict. */
export function silenceBudget(run: Timed): number {
  const habit = habitOf(run);
  const first = firstSilence(run);
  const learnt = habit === null ? first : learntSilence(habit, first);
  return Math.max(learnt, usualDistance(run) * USUAL_DISTANCES);
}

/** ms without anything but CPU or GPU use, after which that is told like a standstill. */
export function busyBudget(run: Timed): number {
  const first = firstSilence(run) * (BUSY_TIMES[run.phase] ?? OTHER_TIMES);
  const habit = habitOf(run);
  const learnt = habit === null ? first : Math.max(learntSilence(habit, firstSilence(run)) * LEARNT_TIMES, first / 2);
  return Math.max(Math.min(learnt, MOST_BUSY_MS), silenceBudget(run));
}

/** ms that looks have to show nothing before it counts as standing still. */
export function stillWindow(run: Timed): number {
  return Math.min(WINDOW_MS, firstSilence(run) / 2);
}

/** The recipe's own, else the default. */
function firstSilence({ request: { budgets }, phase }: Timed): number {
  const seconds = budgets?.[phase];
  return seconds === undefined ? (SILENT_MS[phase] ?? SILENCE_MS) : seconds * SECOND;
}

function learntSilence({ silentMs }: Habit, first: number): number {
  return Math.min(Math.max(silentMs * LEARNT_FACTOR + LEARNT_MORE_MS, first / 2), Math.max(MOST_LEARNT_MS, first / 2));
}

function habitOf({ work, phase }: Timed): Habit | null {
  return work.habits.find((habit) => habit.phase === phase) ?? null;
}

/** ms between two metric records; 0 before the second. A trainer that logs a record every ten minutes is not silent after five. */
function usualDistance({ training }: Timed): number {
  if (training === null || training.last.number === training.first.number) return 0;
  const { first, last } = training;
  return (last.at - first.at) / (last.number - first.number);
}
