/** A verification's outcome in a few words, without markup. */

import { list } from '../list.ts';
import type { Finding, Judged, Verification, VerifyId } from '../verify/verification.ts';

/** What is looked at, as nouns. */
export const LABELS: Readonly<Record<VerifyId, string>> = {
  reached: 'access',
  model: 'model name',
  plain: 'completion',
  chat: 'chat',
  embedding: 'embedding',
  classify: 'classification',
  score: 'scoring',
  pooling: 'pooling',
  acceptance: 'acceptance',
  speed: 'speed',
  first_token: 'first token',
  configuration: 'configuration',
  statistics: 'statistics',
};

/** What makes it of no use, where that is what failed. */
const OF_NO_USE: Readonly<Record<VerifyId, string>> = {
  reached: 'it cannot be asked',
  model: 'it serves another model',
  plain: 'it completes no prompt',
  chat: 'it answers no chat',
  embedding: 'it embeds nothing',
  classify: 'it classifies nothing',
  score: 'it scores nothing',
  pooling: 'it pools nothing',
  acceptance: 'drafts are not accepted',
  speed: 'it is far too slow',
  first_token: 'its first token comes far too late',
  configuration: 'it does not run as it was asked to',
  statistics: 'it tells nothing of its engine',
};

/** `Ready`, `Ready with warnings: acceptance and speed`, `Not usable: drafts are not accepted`. */
export function outcomeWords(verification: Pick<Verification, 'outcome' | 'findings'>): string {
  if (verification.outcome === 'ready') return 'Ready';
  if (verification.outcome === 'warnings') return readyWith(warnedOf(verification));
  const worst = findingsAs(verification, 'failed')[0];
  return worst === undefined ? 'Not usable' : `Not usable: ${OF_NO_USE[worst.id]}`;
}

/** `Ready with warnings: acceptance and disk`. */
export function readyWith(warnings: readonly string[]): string {
  return warnings.length === 0 ? 'Ready with warnings' : `Ready with warnings: ${list([...new Set(warnings)])}`;
}

/** The labels of what it warns of. */
export function warnedOf(verification: Pick<Verification, 'findings'>): string[] {
  return findingsAs(verification, 'warned').map(({ id }) => LABELS[id]);
}

export function findingsAs({ findings }: Pick<Verification, 'findings'>, as: Judged): Finding[] {
  return findings.filter((finding) => finding.as === as);
}
