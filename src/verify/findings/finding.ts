/** How a finding is put together, and how its numbers are written. */

import type { Finding, Judged, VerifyId } from '../verification.ts';

type More = Partial<Pick<Finding, 'expected' | 'advice' | 'causes' | 'shape'>>;

export function finding(id: VerifyId, as: Judged, found: string, more: More = {}): Finding {
  return { id, as, found, expected: null, advice: null, causes: [], shape: null, ...more };
}

/** `84 ms`, `1.9 s`. */
export function msText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
