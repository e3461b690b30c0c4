/** How a server that is up stands, its verification and its life since then taken together. */

import type { Run } from '../run/run.ts';
import { outcomeWords, readyWith, warnedOf } from './outcome.ts';

/** The worst first. */
export type Standing = 'dead' | 'hangs' | 'unusable' | 'warnings' | 'well';

/** null of what is not up (yet, or any more). One that completes nothing is up, and unusable. */
export function standingOf({ phase, verification, vitals }: Run): Standing | null {
  const isUnusable = verification?.outcome === 'unusable';
  if (phase === 'verifying') return isUnusable ? 'unusable' : null;
  if (phase !== 'ready') return null;
  if (vitals?.death != null) return 'dead';
  if (vitals?.hang != null) return 'hangs';
  if (isUnusable) return 'unusable';
  return warningsOf({ verification, vitals }).length > 0 || verification?.outcome === 'warnings' ? 'warnings' : 'well';
}

/** The state in a few words without markup, or null of what is not up. */
export function standingWords(run: Run): string | null {
  const { verification, vitals } = run;
  switch (standingOf(run)) {
    case null:
      return null;
    case 'dead':
      return 'Engine dead';
    case 'hangs':
      return vitals?.hang?.what === 'server'
        ? 'Hangs: it answers nothing'
        : 'Hangs: requests wait, nothing is generated';
    case 'unusable':
      return verification === null ? 'Not usable' : outcomeWords(verification);
    case 'warnings':
      return readyWith(warningsOf(run));
    case 'well':
      return 'Ready';
  }
}

/** In a few words each, what presses most first. */
function warningsOf({ verification, vitals }: Pick<Run, 'verification' | 'vitals'>): string[] {
  return [
    ...(vitals == null || vitals.disks.length === 0 ? [] : ['disk']),
    ...(vitals?.errors == null ? [] : ['server errors']),
    ...(vitals?.fall == null ? [] : ['acceptance fell']),
    ...(verification?.outcome === 'warnings' ? warnedOf(verification) : []),
  ];
}
