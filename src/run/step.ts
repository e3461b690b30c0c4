/** The run's state machine: `step` is the only writer of a run. It knows no clock: every time comes with the observation. */

import type { TeamRow } from '../config/config.ts';
import { judge } from '../diagnosis/judge.ts';
import { emptyReading } from '../log/reading.ts';
import { union } from '../pids.ts';
import type { Pid } from '../tools.ts';
import { enter } from './enter.ts';
import type { Happening, Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { readLog } from './read-log.ts';
import { isFound, type Request } from './request.ts';
import { type Failure, isEnd, type Run, type RunEventBody } from './run.ts';
import { silenceLimit } from './silence.ts';
import { causeOfTarget, newTarget, seeTarget } from './target.ts';

const MOST_TAIL = 12;
/** Samples come once a second: after this long without any nobody knows what went on (ms). */
const GAP_MS = 30_000;

/** Stands for the short name of a run that has none yet: the journal gives it the host's next one. */
export const UNNAMED = '@NAME@';

/** A run as the request makes it. */
export function newRun(request: Request): Run {
  return {
    request,
    phase: 'queued',
    visits: [{ phase: 'queued', at: request.at }],
    started: null,
    reading: emptyReading(request.kind),
    progress: null,
    restarts: 0,
    tree: [],
    target: newTarget(request),
    training: null,
    pulse: 'moving',
    readiness: null,
    failure: null,
    attempted: false,
    adoptedAt: null,
    stopBy: null,
    signalledAt: null,
    stop: null,
    lost: null,
    heard: request.at,
    seenAt: request.at,
    worthless: [],
    notices: [],
    silenceTold: false,
  };
}

/** The run after the observations, and what happened on the way. `teamRows` (vigil.yaml's `diagnoses`) explain failures: only a watch sees any. */
export function stepAll(run: Run, observations: readonly Observation[], teamRows: readonly TeamRow[] = []): Step {
  let current = run;
  const happened: Happening[] = [];
  for (const observation of observations) {
    const next = step(current, observation, teamRows);
    current = next.run;
    happened.push(...next.happened);
  }
  return { run: current, happened };
}

/** The run after one observation. An ended run stays as it is. */
function step(run: Run, seen: Observation, teamRows: readonly TeamRow[]): Step {
  if (isEnd(run.phase)) return { run, happened: [] };
  switch (seen.kind) {
    case 'checking':
      return run.phase === 'queued'
        ? happens(enter(run, 'checking', seen.at), seen, { kind: 'checking' })
        : nothing(run);
    case 'attempting':
      return nothing({ ...run, attempted: true });
    case 'launched':
      return launched(run, seen);
    case 'refused':
      return run.started === null ? fail(run, seen, { kind: 'refused', reason: seen.reason }) : nothing(run);
    case 'log':
      return readLog(run, seen, teamRows);
    case 'target':
      return seeTarget(run, seen, teamRows);
    case 'gap':
      return happens(run, seen, { kind: 'log_gap', bytes: seen.bytes });
    case 'sample':
      return sampled(run, seen);
    case 'exited':
      return exited(run, seen, teamRows);
    case 'vanished':
      return run.stopBy === null
        ? happens({ ...enter(run, 'lost', seen.at), lost: seen.why }, seen, { kind: 'lost', why: seen.why })
        : nothing(run);
    case 'answering':
      return nothing(run.phase === 'verifying' ? run : enter(run, 'verifying', seen.at));
    case 'verified':
      return run.phase === 'ready' || run.stopBy !== null
        ? nothing(run)
        : happens({ ...enter(run, 'ready', seen.at), readiness: seen.readiness }, seen, {
            kind: 'ready',
            readiness: seen.readiness,
          });
    case 'out_of_contact':
      return run.pulse === 'out_of_contact'
        ? nothing(run)
        : happens({ ...run, pulse: 'out_of_contact' }, seen, { kind: 'out_of_contact', why: seen.why });
    case 'back_in_contact':
      return run.pulse === 'moving'
        ? nothing(run)
        : happens({ ...run, pulse: 'moving' }, seen, { kind: 'back_in_contact', silentMs: seen.silentMs });
    case 'stop_asked':
      return run.stopBy === null
        ? happens({ ...run, stopBy: seen.by }, seen, { kind: 'stopping', by: seen.by })
        : nothing(run);
    case 'stop_signalled':
      return nothing(run.signalledAt === null ? { ...run, signalledAt: seen.seen } : run);
    case 'stop_refused':
      return happens({ ...run, stopBy: null, signalledAt: null }, seen, { kind: 'notice', text: seen.reason });
    case 'stop_done':
      return happens({ ...enter(run, 'stopped', seen.at), stop: seen.proof }, seen, {
        kind: 'stopped',
        proof: seen.proof,
      });
    case 'notice':
      return run.notices.includes(seen.text)
        ? nothing(run)
        : happens({ ...run, notices: [...run.notices, seen.text].slice(-20) }, seen, {
            kind: 'notice',
            text: seen.text,
          });
    default:
      return seen satisfies never;
  }
}

function launched(run: Run, seen: Observation & { kind: 'launched' }): Step {
  if (run.started !== null) return nothing(run);
  const started = seen.started;
  const next = {
    ...enter(run, 'launched', started.at),
    started,
    heard: started.at,
    seenAt: started.at,
    tree: [started.main],
  };
  return happens(next, seen, { kind: 'launched', started });
}

function sampled(run: Run, seen: Observation & { kind: 'sample' }): Step {
  const { sample } = seen;
  const gap = sample.at - run.seenAt;
  // Silence counts only while samples arrive.
  const heard = gap > GAP_MS ? run.heard + gap : run.heard;
  const next = { ...run, heard, seenAt: sample.at, tree: treeOf(run, sample.tree) };
  const silentMs = sample.at - next.heard;
  if (!isStarting(next) || next.started === null || next.silenceTold || silentMs < silenceLimit(next))
    return nothing(next);
  return happens({ ...next, silenceTold: true }, seen, { kind: 'silence', silentMs, phase: next.phase });
}

/**
 * What belonged to a found training is remembered when its first process is gone: the others have no other mark. So is all that a stop
 * has to prove gone.
 */
function treeOf(run: Run, seen: readonly Pid[] | null): readonly Pid[] {
  if (seen === null) return run.tree;
  if (run.stopBy !== null) return union(seen, run.tree);
  return isFound(run) && seen.length === 0 ? run.tree : seen;
}

/**
 * A server's end that nobody asked for is a crash, whatever its exit code: a vLLM whose engine died exits 0 (vllm-project/vllm#48966).
 * A training has finished when its log shows the trainer's own end and nothing speaks against it.
 */
function exited(run: Run, seen: Observation & { kind: 'exited' }, teamRows: readonly TeamRow[]): Step {
  if (run.stopBy !== null) return nothing(run);
  const { exit } = seen;
  const exitCode = exit === null ? null : (exit.code ?? (exit.signal === null ? null : -exit.signal));
  const target = causeOfTarget(run, teamRows);
  const { verdict, cause } = judge(run.reading, { alive: false, exitCode, target, teamRows });
  if (verdict === 'finished')
    return happens(enter(run, 'finished', seen.at), seen, {
      kind: 'finished',
      exit,
      record: run.training?.last.record ?? null,
    });
  if (verdict === 'stopped' && isFound(run)) {
    const proof = {
      proven: true,
      evidence: ['It was interrupted on the host, as its log shows; its process is gone.'],
    };
    return happens({ ...enter(run, 'stopped', seen.at), stop: proof }, seen, { kind: 'stopped', proof });
  }
  return fail(run, seen, { kind: 'ended', exit, during: run.phase, cause, tail: seen.tail.slice(-MOST_TAIL) });
}

function fail(run: Run, seen: Observation, failure: Failure): Step {
  return happens({ ...enter(run, 'failed', seen.at), failure }, seen, { kind: 'failed', failure });
}

/** Not ready yet and not ended: a training always, until its end. */
function isStarting(run: Run): boolean {
  return run.phase !== 'ready' && !isEnd(run.phase);
}

function happens(run: Run, seen: Observation, event: RunEventBody): Step {
  return { run, happened: [{ at: seen.at, seen: seen.seen, ...event }] };
}

function nothing(run: Run): Step {
  return { run, happened: [] };
}
