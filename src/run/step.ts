/** The run's state machine: `step` is the only writer of a run. It knows no clock: every time comes with the observation. */

import type { TeamRow } from '../config/config.ts';
import { judge } from '../diagnosis/judge.ts';
import type { Pid } from '../host/process.ts';
import { emptyReading } from '../log/reading.ts';
import { union } from '../pids.ts';
import { habitsOf } from '../pulse/habits.ts';
import { NO_WORK } from '../pulse/work.ts';
import { seeTime } from './engine-death.ts';
import { enter } from './enter.ts';
import type { Happening, Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { placed, turnLost } from './placed.ts';
import { judge as judgePulse, seeMotion, seenUntil, seeStacks } from './pulse.ts';
import { readLog } from './read-log.ts';
import { isFound, isUnseen, type Request } from './request.ts';
import { type Failure, isEnd, type Run, type RunEventBody } from './run.ts';
import { causeOfTarget, newTarget, seeTarget } from './target.ts';
import { unusable, verified } from './verified.ts';
import { seeBeat, seeDisks } from './vitals.ts';

const MOST_TAIL = 12;
const MOST_ASKED = 20;
/** A log that is begun anew all the time is told so at most every ten minutes (ms). */
const GAPS_APART_MS = 600_000;

/** Stands for the short name of a run that has none yet: the journal gives it the host's next one. */
export const UNNAMED = '@NAME@';

/** A run as the request makes it. */
export function newRun(request: Request): Run {
  return {
    request,
    phase: 'queued',
    visits: [{ phase: 'queued', at: request.at }],
    waiting: null,
    turnAt: null,
    checks: null,
    placement: null,
    started: null,
    reading: emptyReading(request.kind),
    progress: null,
    restarts: 0,
    tree: [],
    target: newTarget(request),
    training: null,
    pulse: 'moving',
    work: NO_WORK,
    readiness: null,
    verification: null,
    vitals: null,
    failure: null,
    attempted: false,
    adoptedAt: null,
    stopBy: null,
    confirmed: null,
    signalledAt: null,
    stop: null,
    lost: null,
    heard: request.at,
    seenAt: request.at,
    worthless: [],
    notices: [],
    gapAt: null,
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

/** The run after one observation. An ended run stays as it is, but for what took its place and for who asks for its log. */
function step(run: Run, seen: Observation, teamRows: readonly TeamRow[]): Step {
  if (seen.kind === 'restarted') return restarted(run, seen);
  if (seen.kind === 'log_asked') return logAsked(run, seen);
  if (isEnd(run.phase)) return { run, happened: [] };
  switch (seen.kind) {
    case 'checking':
      return run.phase === 'queued'
        ? happens(enter(run, 'checking', seen.at), seen, { kind: 'checking' })
        : nothing(run);
    case 'checked':
      return checked(run, seen);
    case 'waiting':
      return nothing(run.waiting === null ? run : { ...run, waiting: seen.waiting });
    case 'placed':
      return placed(run, seen);
    case 'turn_lost':
      return turnLost(run, seen);
    case 'attempting':
      return nothing({ ...run, attempted: true });
    case 'launched':
      return launched(run, seen);
    case 'refused':
      return run.started === null ? fail(run, seen, refusal(seen)) : nothing(run);
    case 'log':
      return readLog(run, seen, teamRows);
    case 'target':
      return seeTarget(run, seen, teamRows);
    case 'gap':
      return run.gapAt !== null && seen.at - run.gapAt < GAPS_APART_MS
        ? nothing(run)
        : happens({ ...run, gapAt: seen.at }, seen, { kind: 'log_gap', source: seen.source, why: seen.why });
    case 'sample':
      return sampled(run, seen, teamRows);
    case 'paced':
      return nothing({ ...run, work: { ...run.work, habits: habitsOf(seen.pace) } });
    case 'motion':
      return seeMotion(run, seen);
    case 'stacks':
      return seeStacks(run, seen);
    case 'exited':
      return exited(run, seen, teamRows);
    case 'vanished':
      return run.stopBy === null
        ? happens({ ...enter(run, 'lost', seen.at), lost: seen.why }, seen, { kind: 'lost', why: seen.why })
        : nothing(run);
    case 'answering':
      return nothing(run.phase === 'verifying' ? run : enter(run, 'verifying', seen.at));
    case 'verified':
      return verified(run, seen);
    case 'unusable':
      return unusable(run, seen);
    case 'unverified':
      return run.isToldUnverified === true || run.stopBy !== null
        ? nothing(run)
        : happens({ ...run, isToldUnverified: true }, seen, { kind: 'unverified', why: seen.why });
    case 'beat':
      return seeBeat(run, seen, teamRows);
    case 'disks':
      return seeDisks(run, seen);
    case 'out_of_contact':
      return run.pulse === 'out_of_contact'
        ? nothing(run)
        : happens({ ...run, pulse: 'out_of_contact' }, seen, { kind: 'out_of_contact', why: seen.why });
    case 'back_in_contact':
      return run.pulse !== 'out_of_contact'
        ? nothing(run)
        : happens({ ...run, pulse: run.work.before }, seen, { kind: 'back_in_contact', silentMs: seen.silentMs });
    case 'stop_asked':
      return run.stopBy === null ? stopping(run, seen) : nothing(run);
    case 'stop_signalled':
      return nothing(run.signalledAt === null ? { ...run, signalledAt: seen.seen } : run);
    case 'stop_refused':
      return happens({ ...run, stopBy: null, confirmed: null, signalledAt: null }, seen, {
        kind: 'notice',
        text: seen.reason,
      });
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

function stopping(run: Run, seen: Observation & { kind: 'stop_asked' }): Step {
  const { by, confirmed } = seen;
  const pids = confirmed === null ? {} : { confirmed: confirmed.map(({ pid }) => pid) };
  return happens({ ...run, stopBy: by, confirmed }, seen, { kind: 'stopping', by, ...pids });
}

/** Told once a turn, however often it is tried. */
function checked(run: Run, seen: Observation & { kind: 'checked' }): Step {
  if (run.attempted || run.started !== null) return nothing(run);
  const next = { ...run, checks: seen.checks };
  return run.checks === null ? happens(next, seen, { kind: 'checked', checks: seen.checks }) : nothing(next);
}

function refusal({ reason, taken, checks }: Observation & { kind: 'refused' }): Failure {
  return {
    kind: 'refused',
    reason,
    ...(taken === undefined ? {} : { taken }),
    ...(checks === undefined ? {} : { checks }),
  };
}

function restarted(run: Run, seen: Observation & { kind: 'restarted' }): Step {
  const { as } = seen;
  return run.restartedAs?.run === as.run
    ? nothing(run)
    : happens({ ...run, restartedAs: as }, seen, { kind: 'restarted', as });
}

/** Once a command or click; a run without a log has nothing to show. */
function logAsked(run: Run, { at, seen, by, trigger }: Observation & { kind: 'log_asked' }): Step {
  const before = run.logAsked ?? [];
  if (run.started === null || before.includes(trigger)) return nothing(run);
  return {
    run: { ...run, logAsked: [...before, trigger].slice(-MOST_ASKED) },
    happened: [{ at, seen, kind: 'log_asked', by }],
  };
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
  const times = { at: seen.at, seen: seen.seen };
  const notices = started.warnings.map((text): Happening => ({ ...times, kind: 'notice', text }));
  return {
    run: { ...next, notices: [...run.notices, ...started.warnings].slice(-20) },
    happened: [{ ...times, kind: 'launched', started }, ...notices],
  };
}

/** A process that is gone is told as such, with its engine's reason. */
function sampled(run: Run, seen: Observation & { kind: 'sample' }, teamRows: readonly TeamRow[]): Step {
  const { sample } = seen;
  const tree = treeOf(run, sample.tree?.map(toPid) ?? null);
  const judged = judgePulse({ ...seenUntil(run, sample.at), tree }, seen);
  if ((!sample.alive && !isUnseen(run)) || sample.exit !== null) return judged;
  const died = seeTime(judged.run, { at: seen.at, seen: seen.seen, teamRows });
  return { run: died.run, happened: [...judged.happened, ...died.happened] };
}

/** What it has used is no part of the run: the journal would be written with every look. */
function toPid({ pid, start }: Pid): Pid {
  return { pid, start };
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
    const proof = isUnseen(run)
      ? { proven: false, evidence: ['It was ended on the host, says its log; its process is not visible.'] }
      : { proven: true, evidence: ['It was ended on the host, as its log shows; its process is gone.'] };
    return happens({ ...enter(run, 'stopped', seen.at), stop: proof }, seen, { kind: 'stopped', proof });
  }
  return fail(run, seen, { kind: 'ended', exit, during: run.phase, cause, tail: seen.tail.slice(-MOST_TAIL) });
}

function fail(run: Run, seen: Observation, failure: Failure): Step {
  return happens({ ...enter(run, 'failed', seen.at), failure }, seen, { kind: 'failed', failure });
}

function happens(run: Run, seen: Observation, event: RunEventBody): Step {
  return { run, happened: [{ at: seen.at, seen: seen.seen, ...event }] };
}

function nothing(run: Run): Step {
  return { run, happened: [] };
}
