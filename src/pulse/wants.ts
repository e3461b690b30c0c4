/** What is to be looked at on the host beyond the samples, and when: a log that moves costs nothing. */

import type { Pid } from '../host/process.ts';
import { isUnseen } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { silenceBudget } from './budgets.ts';
import { isWatched } from './watched.ts';

/** From this part of the budget on: when it is over, there is something to compare. */
const PART = 0.5;
/** What comes from a hub is shown while it comes (ms of silence). */
const DOWNLOAD_MS = 5000;
const MOST_STACKS = 4;

/** The log has been silent for a good part of its budget, or what was seen then was no good. `now` is the host's time (ms). */
export function wantsLook(run: Run, now: number): boolean {
  if (!isWatched(run) || run.pulse === 'out_of_contact' || isUnseen(run)) return false;
  if (run.pulse !== 'moving') return true;
  const part = silenceBudget(run) * PART;
  return now - run.heard >= (run.phase === 'downloading' ? Math.min(part, DOWNLOAD_MS) : part);
}

/**
 * Whose stacks are to be looked at: the rank that is behind, else who moves least; at most 4, once an alarm. Empty: nobody's. It is answered
 * by the observation `stacks`, an empty one where they couldn't be had.
 */
export function wantsStacks(run: Run): readonly Pid[] {
  const { alarm, hasStacks, culprit, motion } = run.work;
  if (!isWatched(run) || isUnseen(run) || hasStacks || (alarm !== 'stuck' && alarm !== 'busy')) return [];
  const behind = culprit?.node === undefined ? run.tree.find(({ pid }) => pid === culprit?.pid) : undefined;
  const suspects = (motion?.suspects ?? []).filter(({ pid }) => pid !== behind?.pid);
  const first = behind === undefined ? suspects : [behind, ...suspects];
  return (first.length === 0 ? run.tree : first).slice(0, MOST_STACKS).map(({ pid, start }) => ({ pid, start }));
}
