/** A server that nobody can ask whether it is ready: its process and its log are all that is judged. */

import { isEnd, type Run, type Unasked } from './run.ts';
import { servingOfRun } from './serving.ts';

type Known = Pick<Run, 'request' | 'phase' | 'reading'>;

/** Why it can't be asked; null where it can, and of a training. */
export function whyUnasked(run: Known): Unasked | null {
  const { request } = run;
  if (request.kind !== 'serve') return null;
  const serving = servingOfRun(run, {});
  if (serving.isHeadless) return 'headless';
  if (request.address === null) return 'no_address';
  return serving.wantsCertificate ? 'certificate' : null;
}

export function isUnasked(run: Known): boolean {
  return !isEnd(run.phase) && whyUnasked(run) !== null;
}

/** Its log says that it is up: as far as it will ever be known. */
export function isRunningUnasked(run: Known): boolean {
  const isUp = run.phase === 'verifying';
  // Asked at each line of a log: the command is read only where it matters.
  if (isEnd(run.phase) || !(isUp || hasLoaded(run))) return false;
  const why = whyUnasked(run);
  return why !== null && (isUp || why === 'headless');
}

/** What serves no HTTP never says that its start-up is complete: memory for the cache is measured when the weights are there, and graphs are captured after that. */
function hasLoaded({ reading: { phases, progress } }: Known): boolean {
  const isUnderWay = progress !== null && progress.done < progress.total;
  return LOADED.some((phase) => phases.includes(phase)) && !isUnderWay;
}

const LOADED = ['kv_cache', 'capturing'] as const;
