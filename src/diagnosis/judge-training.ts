/**
 * The verdict on a training's log. It is finished by the trainer's own end and an exit code of 0, not by one of them alone:
 * an interrupted run ends with 0 as well. The cause is the first failing rank's own; what the survivors and torchrun print follows from it.
 */

import type { Reading } from '../log/reading.ts';
import { isOfTarget, isStandingBar, isWorthlessRecord } from '../log/troubles.ts';
import type { Recognised } from './catalog.ts';
import type { Cause } from './cause.ts';
import { describe } from './describe.ts';
import { endsServer } from './ends-server.ts';
import { firstFailure } from './first-failure.ts';
import { type Evidence, isAskedExit, type Judgement } from './judgement.ts';
import { isTargets, recogniseAll } from './recognise-all.ts';
import { textOf } from './row.ts';

type Ended = Pick<Judgement, 'verdict' | 'cause'> & { readonly facts: Readonly<Record<string, number>> };

export function judgeTraining(reading: Reading, evidence: Evidence): Judgement {
  const { verdict, cause, facts } = verdictOf(reading, evidence);
  const { progress, targetPhases } = reading;
  const isNewPhase = verdict === 'finished' && !reading.phases.includes('finished');
  const phases = isNewPhase ? [...reading.phases, 'finished' as const] : reading.phases;
  const target = targetPhases.length === 0 ? {} : { serve_phases: targetPhases };
  return { verdict, phases, progress, cause, facts: { ...reading.facts, ...target, ...facts } };
}

function verdictOf(reading: Reading, evidence: Evidence): Ended {
  const troubles = ownTroubles(reading, evidence);
  const ended = (verdict: Judgement['verdict'], of: readonly Recognised[]): Ended => ({
    verdict,
    ...causeOf(of, reading, evidence),
  });
  if (evidence.alive) {
    const isTraining = reading.phases.some((phase) => phase === 'training' || phase === 'checkpointing');
    const proven = troubles.filter((each) => isProven(each, reading));
    return ended(isTraining ? 'training' : 'starting', proven);
  }
  const { exitCode } = evidence;
  if ((exitCode === 0 || exitCode === null) && isComplete(reading, troubles))
    return ended('finished', troubles.filter(isRecord));
  const before = beforeStop(troubles, reading);
  if (before.some((each) => each.role === 'failure' && !isLivedThrough(each))) return ended('failed', before);
  const isStopped = exitCode === 0 || isAskedExit(exitCode) || reading.shutdownLine !== null;
  if (isStopped || troubles.some(isInterrupt)) return ended('stopped', before.filter(isRecord));
  return ended('failed', troubles);
}

/**
 * The trainer's own end, or for trainers that have no words for it all steps or epochs made, unless it failed behind them, as while
 * it saved; never an interrupted run.
 */
function isComplete(
  { doneLine, shutdownLine, progress, recordLine }: Reading,
  troubles: readonly Recognised[],
): boolean {
  if (shutdownLine !== null) return false;
  if (doneLine !== null) return true;
  const isAllMade = progress?.phase === 'training' && progress.done === progress.total && progress.total > 0;
  return isAllMade && !troubles.some((each) => isRaised(each) && each.trouble.line > (recordLine ?? 0));
}

/** An exception of the trainer's own, or a rank that was killed. */
function isRaised({ trouble, role }: Recognised): boolean {
  const isOfTrainer = trouble.process === null ? trouble.type !== null : !isOfTarget(trouble);
  return isOfTrainer && role === 'failure';
}

/** Workers that can't reach the target server say nothing new while it works; once it is shown to be gone, they said so first. */
function ownTroubles(reading: Reading, { target }: Evidence): readonly Recognised[] {
  const troubles = recogniseAll(reading).filter(
    (each) => !isOfTarget(each.trouble) || reading.readyLine === null || endsServer(each),
  );
  const isGone = target != null || troubles.some(({ row }) => row.isOfTarget === true && row.isHint !== true);
  return troubles.filter(({ row }) => row.isHint !== true || isGone);
}

/** A trainer goes on with it: what ended it is something else. */
function isLivedThrough(each: Recognised): boolean {
  return isRecord(each) || each.row.isHint === true;
}

function isRecord({ trouble }: Recognised): boolean {
  return isWorthlessRecord(trouble);
}

/** Ctrl-C or a signal to torchrun, seen by Python. */
function isInterrupt({ followUp }: Recognised): boolean {
  return followUp?.isStop === true;
}

/** A stop on purpose makes ranks complain. When torchrun names a failed rank, the survivors were stopped by it. */
function beforeStop(troubles: readonly Recognised[], { shutdownLine, facts }: Reading): readonly Recognised[] {
  const code = facts.exitcode_of_rank;
  const isByFailure = typeof code === 'number' && !isAskedExit(code);
  if (shutdownLine === null || isByFailure) return troubles;
  return troubles.filter(({ trouble }) => trouble.line < shutdownLine);
}

/** What the log itself shows of a training that lives on: a rank's traceback is printed by nobody who goes on. */
function isProven({ trouble, row, role }: Recognised, reading: Reading): boolean {
  if (isStandingBar(trouble))
    return !reading.phases.includes('target_ready') && reading.targetPhases.at(-1) === 'downloading';
  if (isWorthlessRecord(trouble)) return true;
  if (isOfTarget(trouble)) return reading.readyLine !== null || recogniseAll(reading).some(isTargetsPointer);
  if (trouble.process !== null) return role === 'failure';
  return trouble.type === null && row.isOfTarget === true;
}

/** Printed by nobody whose engine lives. */
function isTargetsPointer({ trouble, role }: Recognised): boolean {
  return isOfTarget(trouble) && role === 'pointer';
}

function causeOf(troubles: readonly Recognised[], reading: Reading, evidence: Evidence): Omit<Ended, 'verdict'> {
  const first = firstFailure(troubles);
  if (first === null) return { cause: null, facts: {} };
  const { row, trouble } = first;
  const setting = { kind: 'train', wasReady: reading.readyLine !== null, facts: reading.facts } as const;
  const isTarget = isTargets(trouble, 'train');
  const cause = describe(first, { ...setting, isTarget, teamRows: evidence.teamRows ?? [] });
  const facts = row.facts?.(textOf(trouble)) ?? {};
  const explained = row.isOfTarget === true && evidence.target != null ? explainedBy(cause, evidence.target) : cause;
  return { cause: explained, facts };
}

/** What the trainer sees of a dead target is explained by the target's own log. */
function explainedBy(cause: Cause, target: Cause): Cause {
  const { line, type, process, traceback } = cause;
  const message = `${cause.message}\n${target.type === null ? '' : `${target.type}: `}${target.message}`;
  return { ...target, line, type, process, traceback, message };
}
