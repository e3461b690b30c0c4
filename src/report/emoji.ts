/** A run's state as one sign, for its card and for lists; and how much it needs a person. */

import { isEnd, type Run } from '../run/run.ts';
import { isRunningUnasked } from '../run/unasked.ts';
import { pulseEmoji } from './pulse-words.ts';
import { type Standing, standingOf } from './standing.ts';

const STANDINGS: Readonly<Record<Standing, string>> = {
  dead: '🚨',
  hangs: '🚨',
  unusable: '⛔',
  warnings: '⚠️',
  well: '✅',
};

export function stateEmoji(run: Run): string {
  if (isEnd(run.phase)) return { finished: '🏁', failed: '❌', stopped: '⏹️', lost: '❓' }[run.phase];
  if (run.pulse === 'out_of_contact') return '📡';
  if (run.target?.down != null && !run.target.down.isAsked) return '⚠️';
  const standing = run.stopBy === null ? standingOf(run) : null;
  if (standing !== null) return STANDINGS[standing];
  const pulse = pulseEmoji(run);
  if (pulse !== null) return pulse;
  if (run.stopBy !== null) return '⏳';
  if (run.worthless.length > 0) return '⚠️';
  if (run.phase === 'training' || run.phase === 'checkpointing') return '🏋️';
  return isRunningUnasked(run) ? '☑️' : '⏳';
}

/** Of a live run: 0 = a person is needed now, 1 = worth a look, 2 = as it should be. */
export function urgency(run: Run): 0 | 1 | 2 {
  const sign = stateEmoji(run);
  if (sign === '🚨' || sign === '⛔' || (run.target?.down != null && !run.target.down.isAsked)) return 0;
  return sign === '⚠️' || sign === '📡' ? 1 : 2;
}
