/** A short name for what a verification found wrong: the same for the same trouble elsewhere, for "seen before". */

import { nameOf } from '../diagnosis/fingerprint.ts';
import type { Verification } from './verification.ts';

/** 12 hex digits over the worst finding and its shape, not its numbers; null where nothing is failed or warned of. */
export function verifyFingerprint({ findings }: Pick<Verification, 'findings'>): string | null {
  const worst = findings.find(({ as }) => as === 'failed') ?? findings.find(({ as }) => as === 'warned');
  if (worst === undefined) return null;
  return nameOf(['verification', worst.id, worst.shape ?? '']);
}
