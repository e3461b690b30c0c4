/** The verdict on a log, from what it said and whether its process lives. Words in a log are hints: the process is the evidence. */

import type { Trouble } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import { type Recognised, recognise, weightOf } from './catalog.ts';
import type { Cause } from './cause.ts';
import { chainFrom } from './chain.ts';
import { judgeTraining } from './judge-training.ts';
import { type Evidence, isAskedExit, type Judgement } from './judgement.ts';

export type { Evidence, Judgement } from './judgement.ts';

export function judge(reading: Reading, evidence: Evidence): Judgement {
  if (reading.kind === 'train') return judgeTraining(reading, evidence);
  const { phases, progress, facts } = reading;
  return { phases, progress, facts, ...verdictOf(reading, evidence) };
}

function verdictOf(reading: Reading, evidence: Evidence): Pick<Judgement, 'verdict' | 'cause'> {
  const troubles = reading.troubles.filter(
    (trouble) => trouble.line < (reading.shutdownLine ?? Number.POSITIVE_INFINITY),
  );
  if (reading.readyLine !== null) return verdictAfterReady(reading, evidence, troubles.filter(isFatalAfterReady));
  const hasOwnFailure = troubles.some((trouble) => weightOf(trouble) === 2);
  if (evidence.alive) {
    // A dead engine that the log proves: pointers are printed by nobody else.
    const isProven = troubles.some((trouble) => weightOf(trouble) === 1);
    return { verdict: 'starting', cause: isProven ? causeOf(troubles, false) : null };
  }
  if (!hasOwnFailure && isTidyEnd(reading, evidence)) return { verdict: 'stopped', cause: null };
  return { verdict: 'failed', cause: causeOf(troubles, false) };
}

function verdictAfterReady(
  reading: Reading,
  evidence: Evidence,
  fatal: readonly Trouble[],
): Pick<Judgement, 'verdict' | 'cause'> {
  const cause = causeOf(fatal, true);
  if (evidence.alive) return { verdict: 'ready', cause };
  if (cause !== null) return { verdict: 'failed', cause };
  return { verdict: isTidyEnd(reading, evidence) ? 'stopped' : 'failed', cause: null };
}

/** An exit that somebody asked for; where the exit code isn't known, an orderly shut-down in the log. */
function isTidyEnd(reading: Reading, { exitCode }: Evidence): boolean {
  if (exitCode === null) return reading.shutdownLine !== null;
  return exitCode === 0 || isAskedExit(exitCode);
}

/** Of a server that works, clients' bad requests are tracebacks of the API server: those of workers and engines are not, nor what only a dying one says. */
function isFatalAfterReady(trouble: Trouble): boolean {
  if (weightOf(trouble) === 1) return true;
  if (trouble.process !== null) return !/^api_?server/i.test(trouble.process);
  if (trouble.type === null) return true;
  const { category } = recognise(trouble);
  return (
    category === 'engine_dead' || category === 'cuda_oom' || category === 'nccl_error' || category === 'nccl_timeout'
  );
}

/** The first failure of its own; within its chain of exceptions the most telling; else the first pointer, else the first consequence. */
function causeOf(troubles: readonly Trouble[], wasReady: boolean): Cause | null {
  for (const weight of [2, 1, 0] as const) {
    const first = troubles.find((trouble) => weightOf(trouble) === weight);
    if (first === undefined) continue;
    const chain = chainFrom(first, troubles).filter((trouble) => weightOf(trouble) === weight);
    const telling = chain.reduce((best, next) => (recognise(next).rank < recognise(best).rank ? next : best), first);
    return describe(telling, weight, wasReady);
  }
  return null;
}

function describe(trouble: Trouble, weight: 0 | 1 | 2, wasReady: boolean): Cause {
  const { line, type, process, message, traceback } = trouble;
  const { category, title, remedy } =
    weight === 2 ? known(recognise(trouble), wasReady) : WITHOUT_WORDS[weight](wasReady, trouble);
  return { line, type, process, category, title, message, remedy, traceback };
}

/** After readiness what has no row of its own is a dead engine; before it there was no engine to die. */
function known(found: Recognised, wasReady: boolean): Pick<Recognised, 'category' | 'title' | 'remedy'> {
  if (wasReady && found.category === 'unknown') return { ...found, category: 'engine_dead', title: 'The engine died' };
  if (!wasReady && found.category === 'engine_dead') return { ...found, category: 'unknown' };
  return found;
}

type Words = Pick<Recognised, 'category' | 'title' | 'remedy'>;

/** A pointer without what it points at means a process that was killed; a mere consequence means a stop. */
const WITHOUT_WORDS: Readonly<Record<0 | 1, (wasReady: boolean, trouble: Trouble) => Words>> = {
  1: (wasReady) =>
    wasReady
      ? {
          category: 'engine_dead',
          title: 'The engine died without saying why',
          remedy:
            'See `dmesg -T` on the host for the OOM killer and for Xid lines of the GPU, then launch again: no process logged a reason.',
        }
      : {
          category: 'host_oom_killed',
          title: 'A process was killed without a word',
          remedy:
            "See `dmesg -T | grep -i oom` and the container's memory limit; give it more memory, or load with fewer workers at once. A worker or the engine vanished without a traceback, which is what the kernel's OOM killer leaves.",
        },
  0: (_wasReady, trouble) => {
    const found = recognise(trouble);
    return {
      ...found,
      category:
        found.category === 'unknown' && /Interrupt|Cancelled|SystemExit/.test(trouble.type ?? '')
          ? 'interrupted'
          : found.category,
    };
  },
};
