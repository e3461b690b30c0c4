/** Numbers of hostile logs: four hundred digits are Infinity here, and null in the journal. */

/** False where a finding holds a number that is none: nothing was counted by it, so it says nothing. */
export function isMeasured(finding: unknown): boolean {
  if (typeof finding === 'number') return Number.isFinite(finding);
  return typeof finding !== 'object' || finding === null || Object.values(finding).every(isMeasured);
}
