/** A run whose log falls silent at 0 s, and what is seen of it from then on, stepped as a watch steps it. */

import type { LogEvent, LogPhase } from '../../src/log/events.ts';
import type { Evidence } from '../../src/pulse/evidence.ts';
import { motionBetween } from '../../src/pulse/motion.ts';
import type { Pace } from '../../src/pulse/pace.ts';
import { wantsLook } from '../../src/pulse/wants.ts';
import type { Happening } from '../../src/run/happening.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Request } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { newRun, stepAll } from '../../src/run/step.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';

/** Of a training, `training` is there by its records, which were 10 s apart. */
export interface Scene {
  readonly phase: LogPhase;
  readonly kind?: Request['kind'];
  readonly budgets?: Readonly<Record<string, number>>;
  readonly pace?: Pace;
  /** What is seen at a moment (ms after the last log line); asked for every `everyMs`, while the run wants it. */
  readonly seen?: (at: number) => Evidence;
  readonly everyMs?: number;
  readonly forMs: number;
  /** Goes on with this run, from the second after it was last seen, instead of with one that falls silent. */
  readonly from?: Run;
  /** More that happens, in order of time. */
  readonly later?: readonly Observation[];
}

export interface Replayed {
  readonly run: Run;
  readonly happened: readonly Happening[];
  /** `quiet`, `stuck!`: the pulse as it was told, alarms with a mark. */
  readonly told: readonly string[];
}

export function replay(scene: Scene): Replayed {
  const { seen, everyMs = 5000, forMs } = scene;
  let run = scene.from ?? silentRun(scene);
  const happened: Happening[] = [];
  const put = (...observations: readonly Observation[]): void => {
    const step = stepAll(run, observations);
    run = step.run;
    happened.push(...step.happened);
  };
  let before: Evidence | null = null;
  const rest = [...(scene.later ?? [])];
  for (let at = (scene.from?.seenAt ?? 0) + 1000; at <= forMs; at += 1000) {
    while (rest[0] !== undefined && rest[0].at <= at) put(...rest.splice(0, 1));
    put(sample(at));
    if (seen === undefined || at % everyMs !== 0 || !wantsLook(run, at)) continue;
    const after = seen(at);
    const motion = before === null ? null : motionBetween(before, after);
    before = after;
    if (motion !== null) put({ kind: 'motion', motion, at, seen: at });
  }
  return { run, happened, told: happened.flatMap(words) };
}

export function sample(at: number): Observation {
  const one = { at, bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree: null };
  return { kind: 'sample', sample: one, at, seen: at };
}

export function log(at: number, ...events: readonly LogEvent[]): Observation {
  return { kind: 'log', source: 'main', isOld: false, events, clock: { now: at, zoneMinutes: 0 }, at, seen: at };
}

export function phaseLine(phase: LogPhase): LogEvent {
  return { kind: 'phase', phase, line: 1, stamp: null };
}

export function record(step: number): LogEvent {
  const values = { step, epoch: null, loss: 1, accuracy: null, tokensPerSecond: null };
  return { kind: 'record', record: values, line: 1, stamp: null };
}

function silentRun({ phase, kind = 'serve', budgets, pace }: Scene): Run {
  const sampled = kind === 'serve' ? sampleRun({}) : sampleTraining({}, { targetLog: null });
  const { started } = sampled;
  if (started === null) throw new Error('the sample run has started');
  const request = { ...sampled.request, at: -60_000, ...(budgets === undefined ? {} : { budgets }) };
  const tree = [1182, 1183].map((pid) => ({ pid, start: pid * 10 }));
  const lines = phase === 'training' ? [record(1), record(2), record(3)] : [phaseLine(phase)];
  const { run } = stepAll(newRun(request), [
    { kind: 'launched', started: { ...started, at: -50_000 }, at: -50_000, seen: -50_000 },
    ...(pace === undefined ? [] : [{ kind: 'paced', pace, at: -50_000, seen: -50_000 } as const]),
    ...lines.map((line, index) => log((index - lines.length + 1) * 10_000, line)),
  ]);
  return { ...run, tree };
}

function words(happening: Happening): string[] {
  if (happening.kind !== 'pulse') return [];
  return [`${happening.pulse}${happening.isAlarm ? '!' : ''}`];
}
