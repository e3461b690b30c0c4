/** A training that goes on although its log proves that what it learns is worth nothing: told once a kind. */

import { WASTES } from '../categories.ts';
import type { TeamRow } from '../config/config.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { judge } from '../diagnosis/judge.ts';
import type { Step } from './happening.ts';
import type { Run } from './run.ts';

/** Whatever else a log shows ends the process, and is told then. `isTargetUp` = a look at the target server has just found it well. */
export function tellWorthless(
  run: Run,
  { at, seen, isTargetUp, teamRows }: { at: number; seen: number; isTargetUp: boolean; teamRows: readonly TeamRow[] },
): Step {
  const nothing = { run, happened: [] };
  if (run.stopBy !== null) return nothing;
  const { cause } = judge(run.reading, { alive: true, exitCode: null, teamRows });
  if (cause === null || !isWorthless(run, cause, isTargetUp)) return nothing;
  if (run.worthless.includes(cause.category)) return nothing;
  return {
    run: { ...run, worthless: [...run.worthless, cause.category] },
    happened: [{ at, seen, kind: 'trouble', cause }],
  };
}

/** Of a target server that is watched, the next look says whether it died; one that lives and yields nothing shows in a loss of zero. */
function isWorthless({ target, training }: Run, { category }: Cause, isTargetUp: boolean): boolean {
  const waste = WASTES.get(category);
  if (waste === undefined) return false;
  if (waste === 'by itself' || target === null) return true;
  return isTargetUp && training?.last.record.loss === 0;
}
