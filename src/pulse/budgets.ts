/** How long a log may be silent before that asks for evidence, and how long CPU and GPU alone may be in use before that is told. */

import type { Phase, Run } from '../run/run.ts';
import type { Habit } from './habits.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Before anything is learnt: how long the log is silent in a good start, with room. Nothing is said between the KV cache and the graphs while
 * kernels are compiled for minutes.
 */
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
/**
 * Of a training's phases, which hold everything from a tokeniser's first pass to a target server's start; and at least, where silence is all that
 * can be seen (ms).
 */
export const SILENCE_MS = 5 * MINUTE;

/**
 * So many silence budgets of nothing but CPU or GPU use are told, before anything is learnt: compilers show nothing else for long, nor do weights
 * that are laid out anew once they are read; ranks that connect don't. In a training it is told before the ten minutes are over after which torch's
 * watchdog ends the ranks that wait.
 */
const BUSY_TIMES: Readonly<Partial<Record<Phase, number>>> = {
  connecting: 3,
  downloading: 3,
  loading: 5,
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
 * Never less than half of what would hold without history, and than all of it before a few starts are known: one from a warm page cache must not make
 * the next one from disk an alarm.
 * Never more than this: one start that hung for hours and was mended by hand must not silence the pulse for good.
 */
const MOST_LEARNT_MS = 30 * MINUTE;
const FEW_STARTS = 3;

/** So many times the usual distance of two metric records is a training's silence. */
const USUAL_DISTANCES = 5;
/** But no more than this, or half a distance more than one: a training that hung for hours between two records has a long distance, too. */
const MOST_DISTANCES_MS = 60 * MINUTE;

/** Nothing moves for this long, and it is stuck; half of the recipe's budget where that is shorter (ms). */
const WINDOW_MS = 30 * SECOND;

type Timed = Pick<Run, 'request' | 'phase' | 'training' | 'work' | 'target' | 'reading'>;

/** ms of silence that ask for evidence: they are no verdict. */
export function silenceBudget(run: Timed): number {
  const habit = habitOf(run);
  const first = firstSilence(run);
  const learnt = habit === null ? first : learntSilence(habit, first);
  return Math.max(learnt, distanceSilence(usualDistance(run)));
}

/** ms without anything but CPU or GPU use, after which that is told like a standstill. */
export function busyBudget(run: Timed): number {
  const first = Math.max(
    firstBusy(run),
    run.phase === 'target_starting' ? firstBusy({ ...run, phase: targetPhase(run) }) : 0,
  );
  const habit = habitOf(run);
  const learnt =
    habit === null ? first : Math.max(learntSilence(habit, firstSilence(run)) * LEARNT_TIMES, leastOf(habit, first));
  return Math.max(Math.min(Math.max(learnt, ownSilence(run)), MOST_BUSY_MS), silenceBudget(run));
}

/**
 * What this run's own silences of the phase allow, where nothing but CPU or GPU use or nothing at all can be seen (ms): a validation comes again. A
 * trainer's first record comes before there is a distance: as long as it took, the second may take.
 */
export function ownSilence({ phase, training, work: { silences } }: Timed): number {
  const isFirst = training !== null && training.last.number === training.first.number;
  const phases: readonly Phase[] = phase === 'training' && isFirst ? [phase, 'preparing'] : [phase];
  const longest = Math.max(0, ...silences.filter((one) => phases.includes(one.phase)).map(({ ms }) => ms));
  return longest === 0 ? 0 : Math.min(learntFrom(longest), MOST_BUSY_MS);
}

/** ms that looks have to show nothing before it counts as standing still. */
export function stillWindow(run: Timed): number {
  return Math.min(WINDOW_MS, firstSilence(run) / 2);
}

function firstBusy(run: Timed): number {
  return firstSilence(run) * (BUSY_TIMES[run.phase] ?? OTHER_TIMES);
}

/** Where the server is that a training waits for, by its own log or by the training's. */
function targetPhase({ phase, target, reading }: Timed): Phase {
  return target?.reading.phases.at(-1) ?? reading.targetPhases.at(-1) ?? phase;
}

/** The recipe's own, else the default. */
function firstSilence({ request: { budgets }, phase }: Timed): number {
  const seconds = budgets?.[phase];
  return seconds === undefined ? (SILENT_MS[phase] ?? SILENCE_MS) : seconds * SECOND;
}

function learntSilence(habit: Habit, first: number): number {
  const least = leastOf(habit, first);
  return Math.min(Math.max(learntFrom(habit.silentMs), least), Math.max(MOST_LEARNT_MS, least));
}

function leastOf({ starts }: Habit, first: number): number {
  return starts < FEW_STARTS ? first : first / 2;
}

function learntFrom(silentMs: number): number {
  return silentMs * LEARNT_FACTOR + LEARNT_MORE_MS;
}

function habitOf({ work, phase }: Timed): Habit | null {
  return work.habits.find((habit) => habit.phase === phase) ?? null;
}

function distanceSilence(ms: number): number {
  return Math.min(ms * USUAL_DISTANCES, Math.max(ms * LEARNT_FACTOR, MOST_DISTANCES_MS));
}

/** ms between two metric records; 0 before the second. A trainer that logs a record every ten minutes is not silent after five. */
function usualDistance({ training }: Timed): number {
  if (training === null || training.last.number === training.first.number) return 0;
  const { first, last } = training;
  return (last.at - first.at) / (last.number - first.number);
}
