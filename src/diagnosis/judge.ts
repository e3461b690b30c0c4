/** The verdict on a log, from what it said and whether its process lives. Words in a log are hints: the process is the evidence. */

import type { Reading } from '../log/reading.ts';
import type { Recognised } from './catalog.ts';
import type { Cause } from './cause.ts';
import { describe } from './describe.ts';
import { endsServer, isDeath } from './ends-server.ts';
import { firstFailure } from './first-failure.ts';
import { judgeTraining } from './judge-training.ts';
import { type Evidence, isAskedExit, type Judgement } from './judgement.ts';
import { recogniseAll } from './recognise-all.ts';
import { textOf } from './row.ts';

export type { Evidence, Judgement } from './judgement.ts';

export function judge(reading: Reading, evidence: Evidence): Judgement {
  if (reading.kind === 'train') return judgeTraining(reading, evidence);
  const { verdict, failure } = verdictOf(reading, evidence);
  const { phases, progress } = reading;
  const facts = { ...reading.facts, ...(failure === null ? {} : failure.row.facts?.(textOf(failure.trouble))) };
  return { verdict, phases, progress, cause: failure === null ? null : causeOf(failure, reading, evidence), facts };
}

interface Ended {
  readonly verdict: Judgement['verdict'];
  readonly failure: Recognised | null;
}

function verdictOf(reading: Reading, evidence: Evidence): Ended {
  const troubles = recogniseAll(reading).filter(
    ({ trouble }) => trouble.line < (reading.shutdownLine ?? Number.POSITIVE_INFINITY),
  );
  if (reading.readyLine !== null) return verdictAfterReady(reading, evidence, troubles.filter(endsServer));
  if (evidence.alive) {
    // A dead engine that the log proves: pointers are printed by nobody else.
    const isProven = troubles.some(({ role }) => role === 'pointer');
    return { verdict: 'starting', failure: isProven ? firstFailure(troubles) : null };
  }
  const hasOwnFailure = troubles.some(({ role }) => role === 'failure');
  if (!hasOwnFailure && isTidyEnd(reading, evidence)) return { verdict: 'stopped', failure: null };
  return { verdict: 'failed', failure: firstFailure(troubles) };
}

function verdictAfterReady(reading: Reading, evidence: Evidence, fatal: readonly Recognised[]): Ended {
  const isTidy = !evidence.alive && isTidyEnd(reading, evidence);
  // Engines log what they live through, such as a transfer that failed; one that dies is told by others as well.
  const isOver = fatal.some(isDeath) || !(evidence.alive || isTidy);
  const failure = isOver ? firstFailure(fatal) : null;
  if (evidence.alive) return { verdict: 'ready', failure };
  return { verdict: failure === null && isTidy ? 'stopped' : 'failed', failure };
}

/** An exit that somebody asked for; where the exit code isn't known, an orderly shut-down in the log. */
function isTidyEnd(reading: Reading, { exitCode }: Evidence): boolean {
  if (exitCode === null) return reading.shutdownLine !== null;
  return exitCode === 0 || isAskedExit(exitCode);
}

function causeOf(failure: Recognised, { facts, readyLine }: Reading, evidence: Evidence): Cause {
  const setting = { kind: 'serve', wasReady: readyLine !== null, isTarget: false, facts } as const;
  return describe(failure, { ...setting, teamRows: evidence.teamRows ?? [] });
}
