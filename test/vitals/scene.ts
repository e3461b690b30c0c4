/** A ready server as its watch sees it: looks every ten seconds from 0 on, stepped as a watch steps them. */

import type { LogEvent, Trouble } from '../../src/log/events.ts';
import type { Happening } from '../../src/run/happening.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import type { Counters } from '../../src/vitals/counters.ts';
import { type Beat, NO_VITALS } from '../../src/vitals/vitals.ts';
import { sampleRun, WELL } from '../report/sample-run.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const IDLE: Counters = {
  engines: 1,
  running: 0,
  waiting: 0,
  kv: 0,
  promptTokens: 1000,
  generatedTokens: 5000,
  iterations: 700,
  finished: 20,
  preemptions: 0,
  answers: { ok: 20, client: 0, server: 0 },
  drafts: null,
};

/** Ready an hour ago: no first request compiles anything any more. */
export function readyRun(changes: Partial<Run> = {}, budgets?: Readonly<Record<string, number>>): Run {
  const run = sampleRun({
    phase: 'ready',
    visits: [{ phase: 'ready', at: -HOUR }],
    verification: WELL,
    vitals: NO_VITALS,
    heard: 0,
    seenAt: 0,
    ...changes,
  });
  return budgets === undefined ? run : { ...run, request: { ...run.request, budgets } };
}

export interface BeatOptions {
  readonly loadMs?: number;
  readonly acceptanceFloor?: number | null;
}

export function beat(
  at: number,
  changes: Partial<Beat> = {},
  { loadMs = 5 * MINUTE, acceptanceFloor = null }: BeatOptions = {},
): Observation {
  const look: Beat = { at, health: 'ok', counters: IDLE, cores: null, gpuUse: null, ...changes };
  return { kind: 'beat', beat: look, loadMs, acceptanceFloor, at, seen: at };
}

/** Looks at the counters that `of` gives for each moment. */
export function beats(
  { from = 0, to, every = 10 * SECOND }: { readonly from?: number; readonly to: number; readonly every?: number },
  of: (at: number) => Partial<Counters>,
  options: BeatOptions = {},
): Observation[] {
  const count = Math.floor((to - from) / every) + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * every;
    return beat(at, { counters: { ...IDLE, ...of(at) } }, options);
  });
}

export function log(at: number, ...events: readonly LogEvent[]): Observation {
  return { kind: 'log', source: 'main', isOld: false, events, clock: { now: at, zoneMinutes: 0 }, at, seen: at };
}

export function waits(at: number): Observation {
  return log(at, { kind: 'waits', line: at, stamp: null });
}

export function trouble(line: number, changes: Partial<Trouble>): LogEvent {
  const base = { line, type: null, process: 'EngineCore', pid: 7, message: '', traceback: null };
  return { kind: 'trouble', line, stamp: null, trouble: { ...base, ...changes } };
}

export function sample(at: number): Observation {
  const one = { at, bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree: null };
  return { kind: 'sample', sample: one, at, seen: at };
}

export function watched(run: Run, observations: readonly Observation[]): { run: Run; happened: readonly Happening[] } {
  return stepAll(run, observations);
}

export function toldOf(run: Run, observations: readonly Observation[]): string[] {
  return stepAll(run, observations).happened.map(({ kind }) => kind);
}
