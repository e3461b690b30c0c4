/** What new lines of a training's log mean for its run: started at the first metric record, never at a word. */

import type { TeamRow } from '../config/config.ts';
import type { LogEvent, LogPhase, TrainRecord } from '../log/events.ts';
import { addEvent, type Reading } from '../log/reading.ts';
import { enter } from './enter.ts';
import type { Happening, Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { noteOf } from './phase-note.ts';
import type { Phase, Run } from './run.ts';
import { momentOf } from './stamp.ts';
import { tellWorthless } from './worthless.ts';

interface Reader {
  readonly run: Run;
  readonly happened: readonly Happening[];
}

export function readTrainingLog(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  const heard: Reader = { run: { ...run, heard: seen.at, seenAt: seen.at }, happened: [] };
  const read = seen.events.reduce((reader, event) => readEvent(reader, event, seen), heard);
  const told = seen.isOld || run.stopBy !== null ? [] : read.happened;
  const hasTrouble = seen.events.some((event) => event.kind === 'trouble');
  const worthless = hasTrouble
    ? tellWorthless(read.run, { ...seen, isTargetUp: false, teamRows })
    : { run: read.run, happened: [] };
  return { run: worthless.run, happened: [...told, ...worthless.happened] };
}

function readEvent({ run, happened }: Reader, event: LogEvent, seen: Observation & { kind: 'log' }): Reader {
  const before = run.reading;
  const reading = addEvent(before, event);
  const at = momentOf(event.stamp, seen.clock, run.started?.at ?? run.request.at) ?? seen.at;
  const times = { at, seen: seen.seen };
  const next: Run = { ...run, reading, progress: reading.progress };
  if (event.kind === 'start' && before.phases.length > 0) return restarted({ run: next, happened }, times);
  if (event.kind === 'record') {
    const record = withStep(event.record, reading);
    return recorded({ run: next, happened }, record, { ...times, isOld: seen.isOld });
  }
  const added = reading.targetPhases.slice(before.targetPhases.length).map((phase) => targetPhase(phase, reading));
  const phase = phaseShown(before, reading, event);
  if (phase === null || isBehind(run, phase)) {
    return { run: next, happened: [...happened, ...added.map((body) => ({ ...times, ...body }))] };
  }
  const note = phase === 'target_ready' ? readyNote(reading) : null;
  // Saving comes and goes: the card shows it, the thread would drown in it.
  const entered = phase === 'checkpointing' ? [] : [{ kind: 'phase', phase, note } as const];
  const bodies = [...entered, ...added];
  return {
    run: go(next, phase, { at, isOld: seen.isOld }),
    happened: [...happened, ...bodies.map((body) => ({ ...times, ...body }))],
  };
}

/** Some trainers' records carry no step: then the bar's is it. */
function withStep(record: TrainRecord, { facts }: Reading): TrainRecord {
  return record.step === null && typeof facts.step === 'number' ? { ...record, step: facts.step } : record;
}

/** The phase that this event shows; a training's own begins with its first record, its end with the end of the process. */
function phaseShown(before: Reading, after: Reading, event: LogEvent): Phase | null {
  if (event.kind === 'phase' && event.phase === 'checkpointing') return 'checkpointing';
  const added = after.phases.slice(before.phases.length).at(-1);
  return added === undefined || added === 'training' || added === 'finished' ? null : added;
}

/** Where the run is already; a training that makes steps is past its beginnings, and a save before the first step is no checkpoint of it. */
function isBehind(run: Run, phase: Phase): boolean {
  if (run.phase === phase) return true;
  return phase === 'checkpointing' ? run.training === null : run.training !== null;
}

function recorded(
  { run, happened }: Reader,
  record: TrainRecord,
  { at, seen, isOld }: { at: number; seen: number; isOld: boolean },
): Reader {
  const mark = { record, at, number: run.reading.records };
  if (run.training !== null) {
    // History came all at once: the pace is measured from its end on.
    const first = isOld ? mark : run.training.first;
    const next = { ...run, training: { ...run.training, first, last: mark } };
    return { run: run.phase === 'training' ? next : go(next, 'training', { at, isOld }), happened };
  }
  const started = { ...run, training: { since: at, first: mark, last: mark } };
  return {
    run: go(started, 'training', { at, isOld }),
    happened: [...happened, { at, seen, kind: 'training', record }],
  };
}

function restarted({ run, happened }: Reader, times: { at: number; seen: number }): Reader {
  const restarts = run.restarts + 1;
  const text = `The log shows another start of the training, its number ${restarts + 1}.`;
  const next = enter({ ...run, restarts, training: null }, 'launched', times.at);
  return { run: next, happened: [...happened, { ...times, kind: 'notice', text }] };
}

/** History has no times of its own: it leaves one visit, the newest. */
function go(run: Run, phase: Phase, { at, isOld }: { at: number; isOld: boolean }): Run {
  return enter(isOld ? { ...run, visits: run.visits.slice(0, 1) } : run, phase, at);
}

function targetPhase(phase: LogPhase, reading: Reading) {
  return { kind: 'target_phase', phase, note: noteOf(phase, reading) } as const;
}

function readyNote({ facts }: Reading): string | null {
  const seconds = facts.target_ready_seconds;
  return typeof seconds === 'number' && seconds > 0 ? `${seconds} s` : null;
}
