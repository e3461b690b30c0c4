/** What became of drafts between two looks at a server's counters (vllm-project/vllm, v1/spec_decode/metrics.py). */

import type { Drafts } from '../vitals/counters.ts';
import type { Acceptance } from './verification.ts';

/** null where there were no drafts between them, or the counters went back (the server began anew). */
export function acceptanceBetween(before: Drafts, after: Drafts, of: Acceptance['of']): Acceptance | null {
  const drafts = after.drafts - before.drafts;
  const draftTokens = after.draftTokens - before.draftTokens;
  const accepted = after.accepted - before.accepted;
  const perPosition = after.perPosition.map((count, position) => count - (before.perPosition[position] ?? 0));
  if (drafts <= 0 || draftTokens <= 0 || accepted < 0 || perPosition.some((count) => count < 0)) return null;
  return {
    rate: Math.min(1, accepted / draftTokens),
    length: 1 + accepted / drafts,
    curve: falling(perPosition.map((count) => count / drafts)),
    drafts,
    of,
  };
}

/** Two engines' counters are not read at the same moment: a rate that seems above the one before it is as high as that. */
function falling(rates: readonly number[]): readonly number[] {
  let least = 1;
  return rates.map((rate) => {
    least = Math.min(least, rate);
    return least;
  });
}
