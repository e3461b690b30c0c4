/** How a run stands, as far as a change of that must be seen on its card at once. */

import { standingOf as serverStanding } from '../report/standing.ts';
import { type End, isEnd, type Run } from '../run/run.ts';

export type Standing = End | 'stopping' | 'dead' | 'hangs' | 'unusable' | 'up' | 'under way';

export function standingOf(run: Run): Standing {
  if (isEnd(run.phase)) return run.phase;
  if (run.stopBy !== null) return 'stopping';
  const server = serverStanding(run);
  if (server === null) return run.isToldUnverified === true ? 'up' : 'under way';
  return server === 'warnings' || server === 'well' ? 'up' : server;
}
