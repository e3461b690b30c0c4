import { describe, expect, test } from 'vitest';
import type { Started } from '../../src/host/launch.ts';
import type { Sample } from '../../src/host/sample.ts';
import type { LogEvent } from '../../src/log/events.ts';
import { SILENCE_MS } from '../../src/pulse/budgets.ts';
import type { Observation } from '../../src/run/observe.ts';
import { newRun, stepAll } from '../../src/run/step.ts';
import { WELL } from '../report/sample-run.ts';

const T0 = Date.UTC(2026, 10, 30, 7, 0, 0);
const STARTED: Started = {
  main: { pid: 10, start: 1 },
  session: 9,
  bootId: 'b',
  init: 1,
  log: '/root/log',
  movedLog: null,
  preludeShell: null,
  warnings: [],
  at: T0 + 1000,
};
const RUN = newRun({
  kind: 'serve',
  id: 'vigil-kpro5-1',
  name: 'kpro5-1',
  host: 'kpro5',
  recipe: 'dflash',
  found: null,
  argv: ['vllm'],
  log: null,
  gpus: ['0'],
  address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
  stopGrace: 60,
  by: 'U0ALICE',
  channel: 'C0OPS',
  at: T0,
});

function at(ms: number): { at: number; seen: number } {
  return { at: T0 + ms, seen: T0 + ms };
}

function log(ms: number, ...events: LogEvent[]): Observation {
  return { kind: 'log', source: 'main', isOld: false, events, clock: { now: T0 + ms, zoneMinutes: 0 }, ...at(ms) };
}

function phase(name: 'configuring' | 'connecting' | 'loading', stamp: string | null = null): LogEvent {
  return { kind: 'phase', phase: name, line: 1, stamp };
}

function sample(ms: number, change: Partial<Sample> = {}): Observation {
  const base = { at: T0 + ms, bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree: null };
  return { kind: 'sample', sample: { ...base, ...change }, ...at(ms) };
}

/** Samples as they come, up to that time. */
function samples(from: number, to: number): Observation[] {
  return Array.from({ length: Math.ceil((to - from) / 20_000) }, (_, index) => sample(from + index * 20_000));
}

const LAUNCHED: Observation = { kind: 'launched', started: STARTED, ...at(1000) };
const VERIFIED: Observation = {
  kind: 'verified',
  readiness: { proof: 'socket', model: 'm', by: 'forwarding', completion: 'completed a prompt' },
  verification: WELL,
  ...at(9000),
};

function kinds(...observations: Observation[]): string[] {
  return stepAll(RUN, observations).happened.map((event) => event.kind);
}

describe('a run', () => {
  test('tells each phase of its log once, in order of first sight', () => {
    const { run, happened } = stepAll(RUN, [
      LAUNCHED,
      log(2000, phase('configuring'), phase('connecting')),
      log(3000, phase('connecting')),
    ]);
    expect(happened.map((event) => (event.kind === 'phase' ? event.phase : event.kind))).toEqual([
      'launched',
      'configuring',
      'connecting',
    ]);
    expect(run.phase).toBe('connecting');
  });

  test('that is started again and again tells its first starts, and then that it goes on so', () => {
    const again: LogEvent = { kind: 'start', line: 1, stamp: null };
    const starts = Array.from({ length: 9 }, () => log(2000, again, phase('configuring'), phase('loading')));
    const told = stepAll(RUN, [LAUNCHED, ...starts]).happened.map((event) =>
      event.kind === 'notice' ? event.text : event.kind,
    );
    expect(told).toEqual([
      ...['launched', 'phase', 'phase'],
      ...['The log shows another start of the server, its number 2.', 'phase', 'phase'],
      ...['The log shows another start of the server, its number 3.', 'phase', 'phase'],
      'The server starts again and again; further starts are not told one by one.',
    ]);
  });

  test('takes the time of a phase from the log, unless the stamp can be no time of this run', () => {
    const { run } = stepAll(RUN, [
      LAUNCHED,
      log(60_000, phase('configuring', '11-30 07:00:05'), phase('connecting', '03-01 10:00:00')),
    ]);
    expect(run.visits.slice(-2).map((visit) => visit.at - T0)).toEqual([5000, 60_000]);
  });

  test('is not ready by its log: only the server’s own answer makes it ready', () => {
    expect(stepAll(RUN, [LAUNCHED, log(2000, { kind: 'ready', line: 1, stamp: null })]).run.phase).not.toBe('ready');
    expect(stepAll(RUN, [LAUNCHED, VERIFIED]).run.phase).toBe('ready');
  });

  test('that is ready stays so when its log tells its start-up late', () => {
    const { run, happened } = stepAll(RUN, [
      LAUNCHED,
      VERIFIED,
      log(9500, phase('loading'), { kind: 'ready', line: 9, stamp: null }),
    ]);
    expect(run.phase).toBe('ready');
    expect(run.visits.at(-1)?.phase).toBe('ready');
    expect(happened.map((event) => event.kind)).toEqual(['launched', 'ready']);
  });

  test('that ends by itself has failed, whatever its exit code, also after it was ready', () => {
    const exited: Observation = {
      kind: 'exited',
      tail: [],
      exit: { code: 0, signal: null, at: T0 + 9999 },
      ...at(9999),
    };
    const { run, happened } = stepAll(RUN, [LAUNCHED, VERIFIED, exited]);
    expect(run.phase).toBe('failed');
    expect(happened.at(-1)).toMatchObject({ kind: 'failed', failure: { exit: { code: 0 } } });
    expect(run.failure).toMatchObject({ kind: 'ended', during: 'ready' });
  });

  test('that ends after a stop was asked for is left to the stop to tell', () => {
    const exited: Observation = { kind: 'exited', tail: [], exit: { code: 0, signal: null, at: T0 }, ...at(5000) };
    expect(kinds(LAUNCHED, { kind: 'stop_asked', by: 'U0BOB', confirmed: null, ...at(4000) }, exited)).toEqual([
      'launched',
      'stopping',
    ]);
  });

  test('that is being stopped tells no more phases and no readiness', () => {
    const stop: Observation = { kind: 'stop_asked', by: 'U0BOB', confirmed: null, ...at(2000) };
    expect(kinds(LAUNCHED, stop, log(3000, phase('loading')), VERIFIED)).toEqual(['launched', 'stopping']);
  });

  test('that has started is not refused by a late attempt', () => {
    expect(kinds(LAUNCHED, { kind: 'refused', reason: 'no', ...at(2000) })).toEqual(['launched']);
  });

  test('stays as it is after its end', () => {
    const refused: Observation = { kind: 'refused', reason: 'no', ...at(100) };
    expect(kinds(refused, LAUNCHED, VERIFIED, refused)).toEqual(['failed']);
  });

  test('tells a long silence during start-up once a phase, judged by the host’s own times', () => {
    const late = SILENCE_MS + 1000;
    const until = samples(2000, late);
    expect(kinds(LAUNCHED, ...until, sample(late), sample(late + 1000))).toEqual(['launched', 'pulse']);
    expect(kinds(LAUNCHED, VERIFIED, ...until, sample(late))).toEqual(['launched', 'ready']);
  });

  test('counts no silence while no samples arrive: nobody knows what was logged meanwhile', () => {
    const hour = 3_600_000;
    expect(kinds(LAUNCHED, sample(2000), sample(hour))).toEqual(['launched']);
    const until = samples(hour, hour + SILENCE_MS);
    expect(kinds(LAUNCHED, sample(2000), ...until, sample(hour + SILENCE_MS))).toEqual(['launched', 'pulse']);
  });

  test('tells a lost contact and its return once', () => {
    const out: Observation = { kind: 'out_of_contact', why: 'no route', ...at(3000) };
    const back: Observation = { kind: 'back_in_contact', silentMs: 5000, ...at(8000) };
    expect(kinds(LAUNCHED, out, out, back, back)).toEqual(['launched', 'out_of_contact', 'back_in_contact']);
  });

  test('tells a loss in its log, and of a log that is begun anew all the time at most every ten minutes', () => {
    const gap = (ms: number): Observation => ({ kind: 'gap', source: 'main', why: 'cut', ...at(ms) });
    expect(kinds(LAUNCHED, gap(3000), gap(5000), gap(600_000))).toEqual(['launched', 'log_gap']);
    expect(kinds(LAUNCHED, gap(3000), gap(700_000))).toEqual(['launched', 'log_gap', 'log_gap']);
  });

  test('tells who asks for its log once a command, also after its end, and not before it has one', () => {
    const asked = (trigger: string): Observation => ({ kind: 'log_asked', by: 'U0BOB', trigger, ...at(3000) });
    const gone: Observation = { kind: 'vanished', why: 'no trace', ...at(4000) };
    expect(kinds(asked('A'))).toEqual([]);
    expect(kinds(LAUNCHED, asked('A'), asked('A'), asked('B'))).toEqual(['launched', 'log_asked', 'log_asked']);
    expect(kinds(LAUNCHED, asked('A'), gone, asked('A'), asked('B'))).toEqual([
      'launched',
      'log_asked',
      'lost',
      'log_asked',
    ]);
  });

  test('tells the same notice once', () => {
    const notice: Observation = { kind: 'notice', text: 'somebody else answers', ...at(3000) };
    expect(kinds(LAUNCHED, notice, notice)).toEqual(['launched', 'notice']);
  });
});
