/** When a server that starts will be ready, going by its earlier starts on this host. */

import type { Run } from '../run/run.ts';
import type { Motion } from './evidence.ts';
import { isWatched } from './watched.ts';

export type TimeLeft =
  /** ms from `now` on, and the moment that this is (host time). */
  | { readonly kind: 'left'; readonly ms: number; readonly readyAt: number; readonly starts: number }
  /** The phase takes longer than the median of those starts. */
  | { readonly kind: 'longer'; readonly usualMs: number; readonly starts: number };

/**
 * null without earlier starts, of what doesn't start any more, of what stands still, and while more is downloaded than anybody knows, which those
 * starts may have found there. `now` is the host's time (ms).
 */
export function timeLeft(run: Run, now: number): TimeLeft | null {
  const habit = run.work.habits.find(({ phase }) => phase === run.phase);
  const since = run.visits.at(-1)?.at;
  if (run.request.kind !== 'serve' || !isWatched(run) || habit === undefined || since === undefined) return null;
  if (run.pulse === 'stuck' || run.pulse === 'out_of_contact') return null;
  const { starts } = habit;
  const spent = Math.max(0, now - since);
  if (spent > habit.ms) return { kind: 'longer', usualMs: habit.ms, starts };
  const coming = run.work.motion === null ? 0 : downloadLeft(run.work.motion);
  if (coming === null && run.phase !== 'downloading') return null;
  const ms = Math.max(habit.ms - spent, coming ?? 0) + habit.laterMs;
  return { kind: 'left', ms, readyAt: now + ms, starts };
}

/** ms until all of a download has come, as fast as it was seen to come; 0 where none was seen, null where its size is not known. */
export function downloadLeft({ moved, overMs }: Pick<Motion, 'moved' | 'overMs'>): number | null {
  const download = moved.find(({ what }) => what === 'download');
  if (download === undefined) return 0;
  const { amount, from, to, total } = download;
  if (to === null || total === null || total < to) return null;
  const grown = from === null ? amount : to - from;
  return grown <= 0 ? null : ((total - to) / grown) * overMs;
}
