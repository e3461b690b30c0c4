/** The target server of a training: what its own log, its processes and its port say of it. */

import type { TeamRow } from '../config/config.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { judge } from '../diagnosis/judge.ts';
import { addEvent, emptyReading, type Reading } from '../log/reading.ts';
import { enter } from './enter.ts';
import type { Happening, Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { noteOf } from './phase-note.ts';
import type { Request } from './request.ts';
import type { Phase, Run, Target, TargetDown } from './run.ts';
import { momentOf } from './stamp.ts';
import { tellWorthless } from './worthless.ts';

/** So many looks in a row must show it: one may fall into a restart, or come before the words that tell an end on purpose. */
const LOOKS = 2;

/** null where the run has no target server that could be watched. */
export function newTarget(request: Request): Target | null {
  if (request.kind !== 'train' || (request.targetLog === null && request.address === null)) return null;
  return { reading: emptyReading('serve'), pids: [], answered: null, deadLooks: 0, down: null };
}

/** Events of the target's own log. */
export function readTargetLog(run: Run, seen: Observation & { kind: 'log' }): Step {
  if (run.target === null) return { run, happened: [] };
  // Our own questions stand in its log: they are no sign of a training that moves.
  let current: Run = { ...run, heard: run.training === null ? seen.at : run.heard, seenAt: seen.at };
  const happened: Happening[] = [];
  for (const event of seen.events) {
    const target = current.target ?? run.target;
    const before = target.reading;
    const reading = addEvent(before, event);
    current = { ...current, target: { ...target, reading } };
    const phase = reading.phases.length > before.phases.length ? reading.phases.at(-1) : undefined;
    if (phase === undefined) continue;
    const at = momentOf(event.stamp, seen.clock, run.started?.at ?? run.request.at) ?? seen.at;
    const entered = enterFor(current, phase === 'ready' ? 'target_ready' : 'target_starting', at);
    if (phase !== 'ready' && isComingUp(current) && run.stopBy === null)
      happened.push({ at, seen: seen.seen, kind: 'target_phase', phase, note: noteOf(phase, reading) });
    if (entered !== current && phase === 'ready' && run.stopBy === null)
      happened.push({ at, seen: seen.seen, kind: 'phase', phase: 'target_ready', note: null });
    current = entered;
  }
  return { run: current, happened };
}

/** The target is dead when its processes are gone, or its port refuses again: told while the trainer goes on. */
export function seeTarget(run: Run, seen: Observation & { kind: 'target' }, teamRows: readonly TeamRow[]): Step {
  if (run.target === null) return { run, happened: [] };
  const target = look(run.target, seen);
  const evidence = signOfDeath(target, seen);
  if (evidence === null)
    return backUp({ ...run, target: { ...target, deadLooks: 0 }, seenAt: seen.at }, seen, teamRows);
  const deadLooks = target.deadLooks + 1;
  const next = { ...run, target: { ...target, deadLooks }, seenAt: seen.at };
  const isKnown = target.down !== null || run.stopBy !== null || run.reading.doneLine !== null;
  if (isKnown || deadLooks < LOOKS) return { run: next, happened: [] };
  const down = { at: seen.at, evidence, ...verdictOn(target, run.reading, teamRows) };
  return {
    run: { ...next, target: { ...next.target, down } },
    happened: down.isAsked ? [] : [{ at: seen.at, seen: seen.seen, kind: 'target_down', down }],
  };
}

/** Why the target died, as its own log tells it; null where it doesn't, or where it didn't die. */
export function causeOfTarget({ target, reading }: Run, teamRows: readonly TeamRow[]): Cause | null {
  return target === null ? null : (target.down?.cause ?? verdictOn(target, reading, teamRows).cause);
}

function look(target: Target, { pids, answers, at }: Observation & { kind: 'target' }): Target {
  const answered = target.answered ?? (answers === true ? at : null);
  return { ...target, pids: pids.length > 0 ? pids : target.pids, answered };
}

/** What this look shows of its death, or null. */
function signOfDeath(target: Target, seen: Observation & { kind: 'target' }): TargetDown['evidence'] | null {
  if (seen.answers === true) return null;
  const { pids, answered, reading } = target;
  const [main] = pids;
  if (main !== undefined && seen.running.length === 0) return 'process';
  // It may have died before anybody looked at it; a log without a server's own line may be the script's yet.
  if (seen.isDeserted && reading.phases.length > 0) return 'process';
  if (seen.answers === null || answered === null) return null;
  // Its workers may outlive it for a while; a starter that has put the server in the background may end without harm.
  return main !== undefined && !seen.running.some(({ pid }) => pid === main.pid) ? 'process' : 'port';
}

function backUp(
  run: Run,
  { at, seen, answers, running }: Observation & { kind: 'target' },
  teamRows: readonly TeamRow[],
): Step {
  const { target } = run;
  if (target === null) return { run, happened: [] };
  if (target.down !== null && (answers === true || (answers === null && running.length > 0))) {
    const back: Happening[] = target.down.isAsked ? [] : [{ at, seen, kind: 'target_back' }];
    return { run: { ...run, target: { ...target, down: null } }, happened: back };
  }
  if (answers !== true) return { run, happened: [] };
  const entered = enterFor(run, 'target_ready', at);
  const isNews = entered !== run && run.stopBy === null;
  const ready: Happening[] = isNews ? [{ at, seen, kind: 'phase', phase: 'target_ready', note: null }] : [];
  const worthless = tellWorthless(entered, { at, seen, isTargetUp: true, teamRows });
  return { run: worthless.run, happened: [...ready, ...worthless.happened] };
}

/** Ended on purpose: its own log shows a shut-down in good order, or the training's says that the script stopped it. */
function verdictOn(
  { reading }: Target,
  { facts }: Reading,
  teamRows: readonly TeamRow[],
): Pick<TargetDown, 'isAsked' | 'cause'> {
  const { cause } = judge(reading, { alive: false, exitCode: null, teamRows });
  return { cause, isAsked: cause === null && (reading.shutdownLine !== null || facts.target_stopped === true) };
}

const BEFORE_READY: readonly Phase[] = ['queued', 'checking', 'launched', 'target_starting'];

/** The target's phases are told until the training has gone on without it. */
function isComingUp({ phase }: Run): boolean {
  return BEFORE_READY.includes(phase) || phase === 'preparing';
}

/** Enters a phase of the target's unless the run is there or beyond. */
function enterFor(run: Run, phase: 'target_starting' | 'target_ready', at: number): Run {
  const isBefore = BEFORE_READY.includes(run.phase) && run.phase !== phase;
  return isBefore ? enter(run, phase, at) : run;
}
