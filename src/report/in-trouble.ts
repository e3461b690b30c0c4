import { troubleOf } from '../history/trouble.ts';
import type { Run } from '../run/run.ts';
import { pulseEmoji } from './pulse-words.ts';
import { standingOf } from './standing.ts';

const WELL = [null, 'well'];

/** Something is wrong with it that its log may explain; what was refused has none. */
export function isInTrouble(run: Run): boolean {
  if (run.failure?.kind === 'refused') return false;
  if (run.phase === 'failed' || run.phase === 'lost') return true;
  const isDown = run.target?.down != null && !run.target.down.isAsked;
  if (isDown || run.worthless.length > 0 || pulseEmoji(run) !== null) return true;
  return !WELL.includes(standingOf(run)) || troubleOf(run) !== null;
}
