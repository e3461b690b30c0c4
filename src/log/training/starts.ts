/** Whether what begins is another start in the same file. */

import type { TrainingState } from './state.ts';

/** A launcher or a trainer. Without a launcher nobody starts a trainer again but a person. */
export function beginsAgain(
  sign: 'banner' | 'sets up' | 'runs',
  { hasExited, isDone, isTrained, isElastic }: TrainingState,
): boolean {
  const isAgain = { banner: isTrained, 'sets up': isDone, runs: isDone || (isTrained && !isElastic) };
  return hasExited || isAgain[sign];
}

/** A script's "Step 1". */
export function stepsAgain({ scriptStep, isTrained, hasExited, hasGivenUp, hasFailed }: TrainingState): boolean {
  return scriptStep > 1 || isTrained || hasExited || hasGivenUp || (scriptStep === 1 && hasFailed);
}

/** A head like "run 2": a person who writes it needn't say that the one before ended; a script that tries something again must. */
export function headsAnother(
  sign: 'runs again' | 'tries again',
  { hasExited, hasGivenUp, isTrained, hasFailed }: TrainingState,
): boolean {
  return hasExited || hasGivenUp || (sign === 'runs again' && (isTrained || hasFailed));
}
