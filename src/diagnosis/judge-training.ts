/**
 * The verdict on a training's log. It is finished by the trainer's own end and an exit code of 0, not by one of them alone:
 * an interrupted run ends with 0 as well. The cause is the first failing rank's own; what the survivors and torchrun print follows from it.
 */

import type { Trouble } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import { isOfTarget, isWorthlessRecord } from '../log/troubles.ts';
import { recognise, recogniseTraining, weightOf } from './catalog.ts';
import type { Cause } from './cause.ts';
import { chainFrom } from './chain.ts';
import { type Evidence, isAskedExit, type Judgement } from './judgement.ts';

export function judgeTraining(reading: Reading, evidence: Evidence): Judgement {
  const { verdict, cause } = verdictOf(reading, evidence);
  const { progress, targetPhases } = reading;
  const isNewPhase = verdict === 'finished' && !reading.phases.includes('finished');
  const phases = isNewPhase ? [...reading.phases, 'finished' as const] : reading.phases;
  const target = targetPhases.length === 0 ? {} : { serve_phases: targetPhases };
  return { verdict, phases, progress, cause, facts: { ...reading.facts, ...target, ...memoryOf(cause) } };
}

function verdictOf(reading: Reading, evidence: Evidence): Pick<Judgement, 'verdict' | 'cause'> {
  const troubles = ownTroubles(reading, evidence);
  if (evidence.alive) {
    const isTraining = reading.phases.some((phase) => phase === 'training' || phase === 'checkpointing');
    const cause = causeOf(
      troubles.filter((trouble) => isProven(trouble, reading)),
      reading,
      evidence,
    );
    return { verdict: isTraining ? 'training' : 'starting', cause };
  }
  const { exitCode } = evidence;
  if ((exitCode === 0 || exitCode === null) && isComplete(reading, troubles)) {
    return { verdict: 'finished', cause: causeOf(troubles.filter(isWorthlessRecord), reading, evidence) };
  }
  const before = beforeStop(troubles, reading);
  if (before.some((trouble) => weightOf(trouble) === 2 && !isLivedThrough(trouble))) {
    return { verdict: 'failed', cause: causeOf(before, reading, evidence) };
  }
  const isStopped = exitCode === 0 || isAskedExit(exitCode) || reading.shutdownLine !== null;
  if (isStopped || troubles.some(isInterrupt)) {
    return { verdict: 'stopped', cause: causeOf(before.filter(isWorthlessRecord), reading, evidence) };
  }
  return { verdict: 'failed', cause: causeOf(troubles, reading, evidence) };
}

/**
 * The trainer's own end, or for trainers that have no words for it all steps or epochs made, unless it failed behind them, as while
 * it saved; never an interrupted run.
 */
function isComplete({ doneLine, shutdownLine, progress, recordLine }: Reading, troubles: readonly Trouble[]): boolean {
  if (shutdownLine !== null) return false;
  if (doneLine !== null) return true;
  const isAllMade = progress?.phase === 'training' && progress.done === progress.total && progress.total > 0;
  return isAllMade && !troubles.some((trouble) => isRaised(trouble) && trouble.line > (recordLine ?? 0));
}

/** An exception of the trainer's own, or a rank that was killed. */
function isRaised(trouble: Trouble): boolean {
  const isOfTrainer = trouble.process === null ? trouble.type !== null : !isOfTarget(trouble);
  return isOfTrainer && weightOf(trouble) === 2;
}

/** Workers that can't reach the target server say nothing new while it works; once it is shown to be gone, they said so first. */
function ownTroubles(reading: Reading, { target }: Evidence): readonly Trouble[] {
  const troubles = reading.troubles.filter((trouble) => !isOfTarget(trouble) || isDeadly(trouble, reading));
  const isGone =
    target != null || troubles.some((trouble) => recogniseTraining(trouble).isOfTarget && !isHint(trouble));
  return troubles.filter((trouble) => !isHint(trouble) || isGone);
}

/** A trainer goes on with it: what ended it is something else. */
function isLivedThrough(trouble: Trouble): boolean {
  return isWorthlessRecord(trouble) || isHint(trouble);
}

/** Ctrl-C or a signal to torchrun, seen by Python. */
function isInterrupt({ type }: Trouble): boolean {
  return /KeyboardInterrupt|SignalException/.test(type ?? '');
}

function isHint(trouble: Trouble): boolean {
  return recogniseTraining(trouble).isHint;
}

/** Of a target server that was ready, a client's bad request is a traceback of its API server that ends nothing. */
function isDeadly(trouble: Trouble, { readyLine }: Reading): boolean {
  if (readyLine === null || weightOf(trouble) === 1) return true;
  return !/^api_?server/i.test(trouble.process ?? '');
}

/** A stop on purpose makes ranks complain. When torchrun names a failed rank, the survivors were stopped by it. */
function beforeStop(troubles: readonly Trouble[], { shutdownLine, facts }: Reading): readonly Trouble[] {
  const code = facts.exitcode_of_rank;
  const isByFailure = typeof code === 'number' && !isAskedExit(code);
  if (shutdownLine === null || isByFailure) return troubles;
  return troubles.filter((trouble) => trouble.line < shutdownLine);
}

/** What the log itself shows of a training that lives on: a rank's traceback is printed by nobody who goes on. */
function isProven(trouble: Trouble, reading: Reading): boolean {
  if (isStalled(trouble))
    return !reading.phases.includes('target_ready') && reading.targetPhases.at(-1) === 'downloading';
  if (isWorthlessRecord(trouble)) return true;
  if (isOfTarget(trouble)) return reading.readyLine !== null || reading.troubles.some(isTargetsPointer);
  if (trouble.process !== null) return weightOf(trouble) === 2;
  return trouble.type === null && recogniseTraining(trouble).isOfTarget;
}

/** Printed by nobody whose engine lives. */
function isTargetsPointer(trouble: Trouble): boolean {
  return isOfTarget(trouble) && weightOf(trouble) === 1;
}

/** A download's bar that stands still while the script waits on. */
function isStalled(trouble: Trouble): boolean {
  return trouble.type === null && /: +\d+%\|.*\[/.test(trouble.message);
}

function causeOf(troubles: readonly Trouble[], reading: Reading, evidence: Evidence): Cause | null {
  for (const wanted of [2, 1, 0] as const) {
    const first = troubles.find((trouble) => weightOf(trouble) === wanted);
    if (first === undefined) continue;
    const chain = chainFrom(first, troubles).filter((trouble) => weightOf(trouble) === wanted);
    const rank = (trouble: Trouble) => recogniseTraining(trouble).rank;
    const telling = chain.reduce((best, next) => (rank(next) < rank(best) ? next : best), first);
    return describe(telling, reading, evidence);
  }
  return null;
}

function describe(trouble: Trouble, reading: Reading, { target }: Evidence): Cause {
  const { line, type, process, message, traceback } = trouble;
  const place = { line, type, process, traceback };
  const found = recogniseTraining(trouble);
  if (isOfTarget(trouble)) return { ...place, message, ...ofTarget(trouble, reading) };
  const { category, title, remedy } = found;
  if (found.isOfTarget && target != null) {
    const words = `${message}\n${target.type === null ? '' : `${target.type}: `}${target.message}`;
    return { ...place, message: words, category: target.category, title: target.title, remedy: target.remedy };
  }
  // The catalog's dead engine is a server; a rank that breaks the same way is none.
  const isServer = category === 'engine_dead' && !found.isOfTarget;
  return { ...place, message, category: isServer ? 'unknown' : category, title, remedy };
}

/** The target server died in this very log: what its processes say is judged as a server's. */
function ofTarget(trouble: Trouble, { readyLine }: Reading): Pick<Cause, 'category' | 'title' | 'remedy'> {
  const found = isStalled(trouble) ? recogniseTraining(trouble) : recognise(trouble);
  if (found.category !== 'unknown' || readyLine === null) return found;
  return {
    category: 'engine_dead',
    title: 'The target server died',
    remedy: `Restart the target server and resume from the last checkpoint. ${found.remedy}`,
  };
}

/** The sizes that an out-of-memory message names, in GiB. */
function memoryOf(cause: Cause | null): Readonly<Record<string, number>> {
  const message = cause?.category === 'cuda_oom' ? cause.message : '';
  const tried = /Tried to allocate ([\d.]+) ([KMGT])iB/.exec(message);
  const total = /total capac\w+ of ([\d.]+) ([KMGT])iB/.exec(message);
  return { ...gib('tried_gib', tried), ...gib('gpu_total_gib', total) };
}

function gib(key: string, match: RegExpExecArray | null): Readonly<Record<string, number>> {
  if (match === null) return {};
  const power = 'KMGT'.indexOf(match[2] ?? 'G') - 2;
  return { [key]: Number((Number(match[1]) * 1024 ** power).toFixed(3)) };
}
