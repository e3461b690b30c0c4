/** A server that somebody started by hand: what stood in its log before is history, and what it can't be asked is not waited for. */

import { expect, test } from 'vitest';
import type { Started } from '../../src/host/launch.ts';
import type { LogEvent } from '../../src/log/events.ts';
import { begunByHand } from '../../src/patrol/found-run.ts';
import { SILENCE_MS } from '../../src/pulse/budgets.ts';
import { renderCard } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import { stateWords } from '../../src/report/words.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Found, ServeRequest } from '../../src/run/request.ts';
import type { Run, RunEvent } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { sampleRun, VIEW, WELL } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';

const T0 = Date.UTC(2026, 10, 30, 7, 0, 0);
const DAY = 86_400_000;
const PROCESS = { pid: 4242, group: 4242, user: 'root', command: 'python3 /usr/bin/vllm serve m', server: null };
/** Three days before it was found. */
const STARTED: Started = {
  ...{ main: { pid: 4242, start: 7 }, session: 0, bootId: 'b', init: 1, at: T0 - 3 * DAY, warnings: [] },
  ...{ log: '/root/logs/vllm.log', movedLog: null, preludeShell: null },
};

function found(change: Partial<Found> = {}, request: Partial<ServeRequest> = {}): Run {
  const seen: Found = { process: PROCESS, size: 100, trigger: 't', answered: false, ...change };
  const asked = { ...{ recipe: 'vllm.log', log: STARTED.log, gpus: [], argv: [], at: T0 }, found: seen, ...request };
  const start = { started: STARTED, tree: [STARTED.main], heard: T0, now: T0 };
  return begunByHand(sampleRun({}, asked).request, start);
}

function at(ms: number): { at: number; seen: number } {
  return { at: T0 + ms, seen: T0 + ms };
}

function log(ms: number, events: readonly LogEvent[], isOld = false): Observation {
  return { kind: 'log', source: 'main', isOld, events, clock: { now: T0 + ms, zoneMinutes: 0 }, ...at(ms) };
}

function phase(name: 'configuring' | 'loading' | 'compiling', stamp: string | null = null): LogEvent {
  return { kind: 'phase', phase: name, line: 1, stamp };
}

const READY: LogEvent = { kind: 'ready', line: 9, stamp: null };
const START: LogEvent = { kind: 'start', line: 5, stamp: null };
const VERIFIED: Observation = {
  kind: 'verified',
  readiness: { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' },
  verification: WELL,
  ...at(2000),
};

function replies(run: Run, happened: readonly object[]): string[] {
  const events = happened.map((event, index) => ({ seq: index + 2, ...event }) as RunEvent);
  return events.flatMap((event) => renderReply(event, run, VIEW)?.text ?? []);
}

test('phases that stood in the log before are on the card with their times, and only what comes then is told', () => {
  const history = log(100, [phase('configuring', '11-30 06:59:00'), phase('loading', '11-30 06:59:30')], true);
  const { run, happened } = stepAll(found(), [history, log(5000, [phase('compiling')])]);
  expect(run.visits.map((visit) => visit.phase)).toEqual(['launched', 'configuring', 'loading', 'compiling']);
  expect(run.visits[2]?.at).toBe(T0 - 30_000);
  expect(happened.map((event) => event.kind)).toEqual(['phase']);
});

test('of former starts in the same log nothing is told, and nothing is left on the card', () => {
  const history = log(100, [phase('configuring'), phase('loading'), START, phase('configuring')], true);
  const { run, happened } = stepAll(found(), [history]);
  expect(run.visits.map((visit) => visit.phase)).toEqual(['launched', 'configuring']);
  expect([run.restarts, happened]).toEqual([0, []]);
});

test('one that answered when it was found is told as ready already, without its way there', () => {
  const history = log(100, [phase('configuring'), phase('loading'), READY], true);
  const { run, happened } = stepAll(found({ answered: true }), [history, VERIFIED]);
  expect(run.visits.map((visit) => visit.phase)).toEqual(['launched', 'ready']);
  expect(replies(run, happened)).toEqual([
    '<@U0ALICE> kpro5-3 (vllm.log) is ready. It answers on port 8000 of kpro5, as it did already when it was found. It serves m.',
  ]);
  expect(plainMessage(renderCard(run, VIEW))).toContain('ready already when it was found 2026-11-30 07:00 UTC, 3 d');
});

test('one that gets ready later is told with the time since its own start', () => {
  const { run, happened } = stepAll(found(), [VERIFIED]);
  expect(replies(run, happened)[0]).toContain('It answers on port 8000 of kpro5, 3 d');
});

test('how long it was silent before is no silence of now', () => {
  const sample = { bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree: null };
  const samples = (until: number): Observation[] =>
    Array.from({ length: until / 20_000 }, (_, index) => index * 20_000).map((ms) => ({
      ...{ kind: 'sample', sample: { ...sample, at: T0 + ms } },
      ...at(ms),
    }));
  expect(stepAll(found(), samples(60_000)).happened).toEqual([]);
  expect(stepAll(found(), samples(SILENCE_MS + 60_000)).happened.map(({ kind }) => kind)).toEqual(['pulse']);
});

test('one that does not say where it serves is as far as it can be known once its log says that it is up', () => {
  const sample = { bootId: 'b', init: 1, alive: true, exit: null, logSize: 0, tree: null };
  const samples = Array.from({ length: 60 }, (_, index) => index * 20_000).map(
    (ms): Observation => ({ kind: 'sample', sample: { ...sample, at: T0 + ms }, ...at(ms) }),
  );
  const { run, happened } = stepAll(found({}, { address: null }), [
    log(100, [phase('loading'), READY], true),
    ...samples,
  ]);
  expect(happened).toEqual([]);
  expect(stateWords(run)).toBe('Started, not verified');
  expect(plainMessage(renderCard(run, VIEW))).toMatchInlineSnapshot(`
    "☑️ Started, not verified: vllm.log on kpro5 (kpro5-3)
    Not verified: no process of it says on its command line where it serves, so that it can't be asked. Its process and its log are all that is judged.
    launched 3 d › loading 0 s › started, not verified since 2026-11-30 07:00 UTC
    Started by hand by root (pid 4242, python3 /usr/bin/vllm serve m), watched for Alice since 2026-11-30 07:00 UTC  Log /root/logs/vllm.log
    [Log]"
  `);
});

test('a stop carries what was confirmed, and a stop that is refused leaves none of it', () => {
  const confirmed = [STARTED.main, { pid: 4243, start: 8 }];
  const asked: Observation = { kind: 'stop_asked', by: 'U0BOB', confirmed, ...at(3000) };
  const { run, happened } = stepAll(found(), [asked]);
  expect(run).toMatchObject({ stopBy: 'U0BOB', confirmed });
  expect(replies(run, happened)).toEqual([
    'kpro5-3 (vllm.log): Stopping, pids 4242 and 4243 and nothing else, confirmed by Bob.',
  ]);
  const refused: Observation = { kind: 'stop_refused', reason: 'no right', ...at(4000) };
  expect(stepAll(run, [refused]).run).toMatchObject({ stopBy: null, confirmed: null });
});

test('a server that was ended on its host has stopped, and of one whose process nobody saw that is only what its log says', () => {
  const shutdown: LogEvent = { kind: 'shutdown', line: 5, stamp: null };
  const gone: Observation = { kind: 'exited', exit: null, tail: [], ...at(9000) };
  const seen = stepAll(found(), [log(100, [phase('loading'), READY]), VERIFIED, log(8000, [shutdown]), gone]).run;
  expect(seen).toMatchObject({ phase: 'stopped', stop: { proven: true } });
  const unseen = found({ process: null }, { address: null });
  const hidden = stepAll(unseen, [log(100, [phase('loading'), READY]), log(8000, [shutdown]), gone]).run;
  expect(hidden).toMatchObject({ phase: 'stopped', stop: { proven: false } });
  expect(hidden.stop?.evidence).toEqual(['It was ended on the host, says its log; its process is not visible.']);
});
