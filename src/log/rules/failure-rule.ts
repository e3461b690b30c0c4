/** What a row is that tells a failure from one line alone. Its sample is run by a test. */

import type { Spoken } from '../speaker.ts';

export interface FailureRule {
  readonly sample: string;
  readonly pattern: RegExp;
  /** Only in lines of these shapes; all where absent. */
  readonly shapes?: readonly Spoken['shape'][];
  /** It is one at INFO and DEBUG as well. */
  readonly isMild?: true;
}

/** A row for lines without a logger's head: what a shell, a compiler or the C library prints. */
export function plain(sample: string, pattern: RegExp): FailureRule {
  return { sample, pattern, shapes: ['plain'] };
}
