/** Judges what a server was measured at: what is well, what isn't, and what is kept of it. */

import { acceptanceFindings, acceptanceOf } from './findings/acceptance.ts';
import { configurationFindings, statisticsFinding } from './findings/configuration.ts';
import { modelFinding, reachedFinding } from './findings/model.ts';
import { speedFindings } from './findings/speed.ts';
import { tryFindings, works } from './findings/tries.ts';
import type { Measured } from './measured.ts';
import { recordOf } from './record.ts';
import { speedOf } from './speed.ts';
import { type Finding, type KeptRecord, type Outcome, VERIFY_IDS, type Verification } from './verification.ts';

/** `record`: what is to be kept from now on, null = as it was. */
export function judgeMeasured(measured: Measured): {
  readonly verification: Verification;
  readonly record: KeptRecord | null;
} {
  const speed = speedOf(measured);
  const acceptance = acceptanceOf(measured);
  const findings = [
    reachedFinding(measured),
    modelFinding(measured, works(measured.tries)),
    ...tryFindings(measured),
    ...acceptanceFindings(measured, acceptance),
    ...speedFindings(measured, speed),
    ...configurationFindings(measured),
    statisticsFinding(measured),
  ].toSorted((a, b) => VERIFY_IDS.indexOf(a.id) - VERIFY_IDS.indexOf(b.id));
  const outcome = outcomeOf(findings);
  const { record, recorded } = recordOf(measured, { findings, speed, acceptance });
  const { at, by, version } = measured;
  return {
    verification: { at, by, outcome, findings, speed, acceptance, version, record: measured.record, recorded },
    record,
  };
}

function outcomeOf(findings: readonly Finding[]): Outcome {
  if (findings.some(({ as }) => as === 'failed')) return 'unusable';
  return findings.some(({ as }) => as === 'warned') ? 'warnings' : 'ready';
}
