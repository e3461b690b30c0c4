/** How long a log may say nothing before that is told. */

import type { Run } from './run.ts';

/** During a server's start-up, and at least in a training (ms). */
export const SILENCE_MS = 5 * 60_000;
/** So many times the usual distance of two metric records. */
const USUAL_DISTANCES = 5;

/** ms. A trainer that logs a record every ten minutes is not silent after five. */
export function silenceLimit({ training }: Run): number {
  if (training === null || training.last.number === training.first.number) return SILENCE_MS;
  const { first, last } = training;
  const usual = (last.at - first.at) / (last.number - first.number);
  return Math.max(SILENCE_MS, USUAL_DISTANCES * usual);
}
