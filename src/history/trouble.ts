/** What is wrong with a run, as a short name that other runs with the same trouble have, too: for "seen before" and the team's notes. */

import { refusalsIn } from '../check/sums.ts';
import { nameOf } from '../diagnosis/fingerprint.ts';
import type { Failure, Run } from '../run/run.ts';
import { verifyFingerprint } from '../verify/trouble.ts';

/**
 * 12 hex digits, or null where all is well, or where what happened is no trouble that another run could share (a GPU that was taken, a host
 * that went away). A run that a person stopped keeps the trouble that stood then: that is how servers with a warning end.
 */
export function troubleOf(run: Run): string | null {
  if (run.failure?.kind === 'refused') return refusalTrouble(run.failure);
  const known = run.failure?.cause?.fingerprint;
  if (known !== undefined && known !== '') return known;
  const standing = standingTrouble(run);
  return run.failure === null ? standing : (standing ?? endTrouble(run.failure));
}

/** By which checks, whatever they found. */
function refusalTrouble({ checks }: Failure & { kind: 'refused' }): string | null {
  const ids = new Set(checks === undefined ? [] : refusalsIn(checks).map(({ check }) => check));
  return ids.size === 0 ? null : nameOf(['refused', ...[...ids].sort()]);
}

/** What is wrong with a run that goes on, or was when it ended. */
function standingTrouble({ vitals, target, verification, failure, lost }: Run): string | null {
  if (vitals?.death != null) return vitals.death.cause?.fingerprint || nameOf(['engine dead']);
  if (vitals?.hang != null) return nameOf(['hang', vitals.hang.what]);
  if (target?.down?.cause != null && !target.down.isAsked) return target.down.cause.fingerprint || null;
  // What a verification found days before explains no crash, and no host that went away.
  return verification === null || failure !== null || lost !== null ? null : verifyFingerprint(verification);
}

/** An end without a cause: how it ended, and where. */
function endTrouble({ exit, during }: Failure & { kind: 'ended' }): string {
  return nameOf(['end', String(exit?.code ?? ''), String(exit?.signal ?? ''), during]);
}
