/** When a run was last heard: true for the moment at which its card was written. */

import { isWatched } from '../pulse/watched.ts';
import type { Run } from '../run/run.ts';
import { clock } from './words.ts';

/** A log that has said nothing for so long is told apart from its host (ms). */
const SILENT_MS = 30_000;

/** As mrkdwn; null of what isn't waited for any more, whose card is not written anew all the time, and of what can't be heard, which is said first. */
export function signOfLife(run: Run): string | null {
  const { pulse, heard, seenAt } = run;
  if (!isWatched(run) || pulse === 'out_of_contact') return null;
  return seenAt - heard < SILENT_MS
    ? `Last heard ${clock(seenAt)}`
    : `Last log line ${clock(heard)}, last look ${clock(seenAt)}`;
}
