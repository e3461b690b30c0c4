/** A log whose first process is not seen: only its own words and its silence say whether the training goes on. */

import { judge } from '../diagnosis/judge.ts';
import type { Reading } from '../log/reading.ts';
import type { Run } from '../run/run.ts';

/** After this long without a byte such a training counts as lost (ms). */
const GIVEN_UP_MS = 6 * 3_600_000;

/**
 * Over when the log shows an end and is silent since `settledMs`; lost when it only is silent, for hours. `now` is the host's time (ms),
 * `read` all that the log says.
 */
export function verdictOnSilence(
  { heard }: Run,
  { now, settledMs, read }: { now: number; settledMs: number; read: () => Reading },
): 'on' | 'over' | { readonly lost: string } {
  const silentMs = now - heard;
  if (silentMs >= settledMs && showsEnd(read())) return 'over';
  if (silentMs < GIVEN_UP_MS) return 'on';
  return { lost: 'Its first process is not seen, the log shows no end, and it has been silent for 6 hours.' };
}

function showsEnd(reading: Reading): boolean {
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  return verdict === 'finished' || (verdict === 'failed' && cause !== null);
}
