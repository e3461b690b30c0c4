/** What a checklist comes to. */

import type { Checklist, Finding, Verdict } from './check.ts';

export function findingsOf({ findings }: Pick<Checklist, 'findings'>, verdict: Verdict): readonly Finding[] {
  return findings.filter((finding) => finding.verdict === verdict);
}

const WORST_FIRST: readonly Verdict[] = ['refused', 'warning', 'unknown', 'passed'];

/** How many checks came to that, each counted once, by the worst that it found. */
export function countOf({ findings }: Pick<Checklist, 'findings'>, verdict: Verdict): number {
  const worst = new Map<string, Verdict>();
  for (const { check, verdict: own } of findings) {
    const before = worst.get(check);
    if (before === undefined || WORST_FIRST.indexOf(own) < WORST_FIRST.indexOf(before)) worst.set(check, own);
  }
  return [...worst.values()].filter((own) => own === verdict).length;
}

/** How many checks were made. */
export function sizeOf({ findings }: Pick<Checklist, 'findings'>): number {
  return new Set(findings.map(({ check }) => check)).size;
}

/** The refusals that nobody overrides: with any of them nothing starts. */
export function refusalsIn(checklist: Checklist): readonly Finding[] {
  return findingsOf(checklist, 'refused').filter(({ isFinal }) => isFinal || checklist.forcedBy === null);
}

export function isAllWell({ findings }: Pick<Checklist, 'findings'>): boolean {
  return findings.every(({ verdict }) => verdict === 'passed');
}
