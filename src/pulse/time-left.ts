/** When a server that starts will be ready, going by its earlier starts on this host. */

import type { Run } from '../run/run.ts';
import { isWatched } from './watched.ts';

export type TimeLeft =
  /** ms from `now` on, and the moment that this is (host time). */
  | { readonly kind: 'left'; readonly ms: number; readonly readyAt: number; readonly starts: number }
  /** The phase takes longer than the median of those starts. */
  | { readonly kind: 'longer'; readonly usualMs: number; readonly starts: number };

/** null without earlier starts, of what doesn't start any more, and of what stands still. `now` is the host's time (ms). */
export function timeLeft(run: Run, now: number): TimeLeft | null {
  const habit = run.work.habits.find(({ phase }) => phase === run.phase);
  const since = run.visits.at(-1)?.at;
  if (run.request.kind !== 'serve' || !isWatched(run) || habit === undefined || since === undefined) return null;
  if (run.pulse === 'stuck' || run.pulse === 'out_of_contact') return null;
  const { starts } = habit;
  const spent = Math.max(0, now - since);
  if (spent > habit.ms) return { kind: 'longer', usualMs: habit.ms, starts };
  const ms = habit.ms - spent + habit.laterMs;
  return { kind: 'left', ms, readyAt: now + ms, starts };
}
