/** How far a run is in what it does now, where its log or its files tell. */

import { timeLeft } from '../pulse/time-left.ts';
import type { Run } from '../run/run.ts';
import { bar, wholePercent } from './bar.ts';
import { duration } from './duration.ts';
import { rounded } from './motion-words.ts';
import { capital } from './phase-words.ts';
import { timeLeftWords } from './pulse-words.ts';
import { trainedSteps, trainingLeft } from './training.ts';

/** From 0 to 1, of the phase it is in, of a training of all its steps; null where nobody knows. */
export function shareOf(run: Run): number | null {
  const { phase, progress, request, work } = run;
  if (request.kind === 'train') return trainedShare(run);
  const { arrived } = work;
  if (phase === 'downloading' && arrived !== null && arrived.total !== null) return part(arrived.bytes, arrived.total);
  return progress?.phase === phase ? part(progress.done, progress.total) : null;
}

/** Of a training that saves meanwhile, too. */
function trainedShare(run: Run): number | null {
  const { phase, progress } = run;
  const steps = trainedSteps(run);
  if (steps !== null) return part(steps.done, steps.total);
  const isOfThis = progress?.phase === phase || (progress?.phase === 'training' && phase === 'checkpointing');
  return progress !== null && isOfThis ? part(progress.done, progress.total) : null;
}

function part(done: number, total: number): number | null {
  return total > 0 && done <= total ? done / total : null;
}

/** `▰▰▱▱▱▱▱▱▱▱ 20 %, about 1 min 40 s left, …`, or what of it is known; null where nothing is. `at` says a time. */
export function progressWords(run: Run, at: (ms: number) => string): string | null {
  const share = shareOf(run);
  const left = timeLeftWords(run, at);
  if (share === null) return left;
  return left === null ? bar(share) : `${bar(share)}\n${left}`;
}

/** The same for who hears it read out, without the bar and without a moment; null where nothing is known. */
export function farWords(run: Run): string | null {
  const share = shareOf(run);
  const left = msLeft(run);
  const words = [
    share === null ? null : `${wholePercent(share)} % done`,
    left === null ? null : `about ${duration(rounded(left))} left`,
  ].filter((word) => word !== null);
  return words.length === 0 ? null : capital(words.join(', '));
}

function msLeft(run: Run): number | null {
  if (run.request.kind === 'train') return trainingLeft(run);
  const left = timeLeft(run, run.seenAt);
  return left?.kind === 'left' ? left.ms : null;
}
