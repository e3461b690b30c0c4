/** What the earlier starts of a recipe on a host come to, phase by phase: small enough to be saved with each run. */

import type { Phase } from '../run/run.ts';
import type { Pace, PaceRecord } from './pace.ts';

export interface Habit {
  readonly phase: Phase;
  /** How many of the starts went through it. */
  readonly starts: number;
  /** How long it takes (ms): the median. */
  readonly ms: number;
  /** How long the phases after it take together (ms): the median. */
  readonly laterMs: number;
  /** The longest that the log was silent in it (ms); of four starts and more the longest but one: one that hung and was mended teaches nothing. */
  readonly silentMs: number;
}

const MANY = 4;

export function habitsOf(pace: Pace): Habit[] {
  const phases = new Set(pace.flatMap((record) => record.phases.map(({ phase }) => phase)));
  return [...phases].map((phase) => {
    const visits = pace.flatMap((record) => visitsTo(phase, record));
    return {
      phase,
      starts: visits.length,
      ms: median(visits.map(({ ms }) => ms)),
      laterMs: median(visits.map(({ laterMs }) => laterMs)),
      silentMs: longestOf(visits.map(({ silentMs }) => silentMs)),
    };
  });
}

function visitsTo(phase: Phase, { phases }: PaceRecord): { ms: number; laterMs: number; silentMs: number }[] {
  const index = phases.findIndex((own) => own.phase === phase);
  const own = phases[index];
  if (own === undefined) return [];
  const laterMs = phases.slice(index + 1).reduce((sum, { ms }) => sum + ms, 0);
  return [{ ms: own.ms, laterMs, silentMs: own.silentMs }];
}

function longestOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => b - a);
  return sorted[sorted.length < MANY ? 0 : 1] ?? 0;
}

/** Of an even number the mean of the middle two; of none 0. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
