/** NCCL operation counts of two looks. Ranks that are ahead may launch some more before they wait: only those that are behind tell work from a hang. */

import type { Moved } from './evidence.ts';
import type { RasMismatch, RasView } from './look.ts';

type Rank = RasMismatch['ranks'][number];

/** Mismatches whose last ranks stand in both looks at the same count. */
export function standingMismatches(before: RasView | null, after: RasView | null): readonly RasMismatch[] {
  return (after?.mismatches ?? []).filter((now) => before?.mismatches.some((old) => isStanding(old, now)) === true);
}

export function isStanding(old: RasMismatch, now: RasMismatch): boolean {
  return isSameOperation(old, now) && old.lowest === now.lowest;
}

/** Operations that the ranks behind have launched between the looks, as far as both show them; of level ranks RAS tells no counts. */
export function countsMoved(before: RasView | null, after: RasView | null): Moved | null {
  const amount = (after?.mismatches ?? []).reduce((sum, now) => {
    const old = before?.mismatches.find((one) => isSameOperation(one, now));
    return old === undefined ? sum : sum + Math.max(0, now.lowest - old.lowest);
  }, 0);
  return amount === 0 ? null : { what: 'nccl', amount, from: null, to: null, total: null };
}

/** The ranks that the others wait for, where RAS names them, the lowest number first. */
export function ranksBehind({ ranks, lowest, highest }: RasMismatch): readonly Rank[] {
  if (lowest === highest) return [];
  return ranks.filter(({ count }) => count === lowest).toSorted((a, b) => a.rank - b.rank);
}

/**
 * Those whose last ranks wait for nobody: with several groups (tensor, pipeline, data) who waits in one is behind in the next. All of them where
 * everybody waits for another.
 */
export function rootsOf(mismatches: readonly RasMismatch[]): readonly RasMismatch[] {
  const waiting = new Set(mismatches.flatMap(ranksAhead).map(({ pid }) => pid));
  const roots = mismatches.filter((mismatch) => ranksBehind(mismatch).some(({ pid }) => !waiting.has(pid)));
  return roots.length === 0 ? mismatches : roots;
}

function ranksAhead({ ranks, lowest }: RasMismatch): readonly Rank[] {
  return ranks.filter(({ count }) => count > lowest);
}

function isSameOperation(old: RasMismatch, now: RasMismatch): boolean {
  return old.communicator === now.communicator && old.operation === now.operation;
}
