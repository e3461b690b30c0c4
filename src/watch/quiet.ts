/** A log whose first process is not seen: only its own words and its silence say whether the training goes on. */

import { judge } from '../diagnosis/judge.ts';
import type { Reading } from '../log/reading.ts';
import type { Sample, Started } from '../tools.ts';

/** After this long without a byte such a training counts as lost (ms). */
const GIVEN_UP_MS = 6 * 3_600_000;

export interface Quiet {
  take(sample: Sample): void;
  /** Over when the log shows an end and is silent since; lost when it only is silent, for hours. `read` = all that it says. */
  verdict(read: () => Reading): 'on' | 'over' | { readonly lost: string };
}

/** The process could not be seen when the training was found. */
export function isHidden({ main }: Started): boolean {
  return main.pid === 0;
}

/** `settledMs`: a log is quiet after so long without a byte, by the host's clock. */
export function openQuiet(settledMs: number): Quiet {
  let size: number | null = null;
  let since = Number.POSITIVE_INFINITY;
  let now = 0;
  const silentMs = (): number => now - since;
  return {
    take(sample) {
      now = sample.at;
      if (sample.logSize !== size || since === Number.POSITIVE_INFINITY) since = sample.at;
      size = sample.logSize;
    },
    verdict(read) {
      if (silentMs() >= settledMs && showsEnd(read())) return 'over';
      if (silentMs() < GIVEN_UP_MS) return 'on';
      return { lost: 'Its first process is not seen, the log shows no end, and it has been silent for 6 hours.' };
    },
  };
}

function showsEnd(reading: Reading): boolean {
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  return verdict === 'finished' || (verdict === 'failed' && cause !== null);
}
