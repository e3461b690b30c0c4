/** The rule of a line that a script, a launcher or a simple logger wrote. */

import type { TrainingFinding } from '../rules/training-rule.ts';
import { type FoundTraining, findTraining } from '../rules/training-table.ts';
import { withoutName } from './heads.ts';

const EXCEPTION = /^[A-Za-z_][\w.]{0,80}(?:Error|Exception): /;

/** Behind a head a logger's name may stand before the words. An exception's message is none of them. */
export function findLine(text: string, isHeaded: boolean): FoundTraining | null {
  const bare = text.trimStart();
  const named = isHeaded ? withoutName(bare) : null;
  const found =
    findTraining(text, 'line') ??
    (bare === text ? null : findTraining(bare, 'line')) ??
    (named === null ? null : findTraining(named, 'line'));
  return found === null || !EXCEPTION.test(bare) || found.findings.every(isVersion) ? found : null;
}

/** What an exception's message tells beside the failure: the version of NCCL. */
export function versionsIn(text: string): readonly TrainingFinding[] {
  return findTraining(text, 'line')?.findings.filter(isVersion) ?? [];
}

function isVersion(finding: TrainingFinding): boolean {
  return finding.kind === 'fact' && finding.key === 'nccl';
}

/** A record of a step that counts it. */
export function hasStep(finding: TrainingFinding): boolean {
  return finding.kind === 'metrics' && finding.metrics.record?.step !== null;
}
