/** The way of a run as steps: what is behind it, what it does now, and what is known to come. Plain data; plan.ts and journey.ts say it. */

import { isFound, targetLogOf } from '../run/request.ts';
import { isEnd, type Phase, type PhaseVisit, type Run } from '../run/run.ts';
import { whyUnasked } from '../run/unasked.ts';

export interface PassedStep {
  readonly phase: Phase;
  /** All visits together. */
  readonly ms: number;
}

/** So many are shown. */
const MOST_STEPS = 12;

/**
 * The phases that are behind it, in their order, each with its time. A wrapper that starts its server again makes the same phase twice in a row; a
 * training goes between two of them all the time.
 */
export function passedSteps({ phase, visits, request }: Run): PassedStep[] {
  const steps: { phase: Phase; ms: number }[] = [];
  visits.forEach((visit, index) => {
    const next = visits[index + 1];
    if (next === undefined) return;
    const ms = next.at - visit.at;
    const known =
      request.kind === 'train' ? steps.find((step) => step.phase === visit.phase) : lastOf(steps, visit.phase);
    if (known === undefined) steps.push({ phase: visit.phase, ms });
    else known.ms += ms;
  });
  const isBack = request.kind === 'train' && !isEnd(phase);
  return steps.filter((step) => !isBack || step.phase !== phase).slice(-MOST_STEPS);
}

function lastOf<T extends { phase: Phase }>(steps: readonly T[], phase: Phase): T | undefined {
  const last = steps.at(-1);
  return last?.phase === phase ? last : undefined;
}

/** Whether it stood in a line: else its moment in the queue says nothing. */
export function hasWaited({ waiting, turnAt }: Run): boolean {
  return waiting !== null || turnAt !== null;
}

/** Since when it does what it does now (host time, ms). */
export function nowSince({ phase, visits, training, request }: Run): number {
  const last = visits.at(-1)?.at ?? request.at;
  return phase === 'training' || phase === 'checkpointing' ? (training?.since ?? last) : last;
}

const SERVE_STEPS: readonly Phase[] = [
  ...(['queued', 'checking', 'launched', 'configuring', 'connecting', 'loading'] as const),
  ...(['compiling', 'kv_cache', 'capturing', 'verifying'] as const),
];
const TRAIN_STEPS: readonly Phase[] = [
  ...(['queued', 'checking', 'launched', 'target_starting', 'preparing', 'training'] as const),
];

/**
 * The phases that will come, as far as that can be known: those that no start does without, and those that most earlier starts of the recipe on
 * this host went through. A download is never among them: what was fetched once is there.
 */
export function comingSteps(run: Run): Phase[] {
  const order = run.request.kind === 'train' ? TRAIN_STEPS : SERVE_STEPS;
  const here = Math.max(...thisStart(run.visits).map(({ phase }) => order.indexOf(placeOf(phase))));
  return order.slice(here + 1).filter((phase) => isSure(phase, run) || isUsual(phase, run));
}

/** Where a phase without a place of its own stands in the order. */
function placeOf(phase: Phase): Phase {
  if (phase === 'downloading') return 'connecting';
  return phase === 'target_ready' ? 'target_starting' : phase;
}

function isSure(phase: Phase, run: Run): boolean {
  switch (phase) {
    case 'checking':
    case 'launched':
      return !isFound(run);
    case 'loading':
    case 'training':
      return true;
    case 'verifying':
      return whyUnasked(run) === null;
    case 'target_starting':
      return run.request.address !== null || targetLogOf(run.request) !== null;
    default:
      return false;
  }
}

function isUsual(phase: Phase, { work: { habits } }: Run): boolean {
  const all = Math.max(0, ...habits.map(({ starts }) => starts));
  const own = habits.find((habit) => habit.phase === phase)?.starts ?? 0;
  return own * 2 > all;
}

/** The visits of the last start that the log shows: a script may start its server again, and a trainer its training. */
export function thisStart(visits: readonly PhaseVisit[]): readonly PhaseVisit[] {
  const from = visits.findLastIndex(({ phase }, index) => {
    const before = visits[index - 1];
    return before !== undefined && BEGINNINGS.includes(phase) && !BEFORE_WORK.includes(before.phase);
  });
  return visits.slice(Math.max(0, from));
}

const BEGINNINGS: readonly Phase[] = ['launched', 'configuring'];
const BEFORE_WORK: readonly Phase[] = ['queued', 'checking', ...BEGINNINGS];
