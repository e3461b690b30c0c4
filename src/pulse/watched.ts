import { isEnd, type Run } from '../run/run.ts';
import { isRunningUnasked } from '../run/unasked.ts';

/**
 * Started, and neither ready nor ended nor being stopped: a training always, until its end. A server that can't be asked is as far as it can be
 * known once its log says so.
 */
export function isWatched(run: Run): boolean {
  if (run.started === null || run.waiting !== null || run.stopBy !== null) return false;
  return run.phase !== 'ready' && !isRunningUnasked(run) && !isEnd(run.phase);
}
