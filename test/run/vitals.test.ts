import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../src/log/events.ts';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { WELL } from '../report/sample-run.ts';
import { beat, beats, log, MINUTE, readyRun, SECOND, toldOf, trouble } from '../vitals/scene.ts';

const START: LogEvent = { kind: 'start', line: 500, stamp: null };
const LOADING: LogEvent = { kind: 'phase', phase: 'loading', line: 501, stamp: null };
const UP: readonly LogEvent[] = [
  { kind: 'phase', phase: 'loading', line: 1, stamp: null },
  { kind: 'ready', line: 2, stamp: null },
];
const READINESS = { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' } as const;
const RUN = stepAll(readyRun({ readiness: READINESS }), [log(0, ...UP)]).run;

function verified(at: number): Observation {
  return { kind: 'verified', readiness: READINESS, verification: WELL, at, seen: at };
}

describe('a ready run', () => {
  test('keeps its last look, and the load that its card shows', () => {
    const { run } = stepAll(
      RUN,
      beats({ to: 20 * SECOND }, () => ({ running: 2 })),
    );
    expect(run.vitals?.beat).toMatchObject({ at: 20 * SECOND, health: 'ok' });
    expect(run.vitals?.load).toMatchObject({ running: 2 });
  });

  test('that an older Vigil had made ready is watched like any other', () => {
    const { run } = stepAll(
      { ...RUN, vitals: null },
      beats({ to: 3 * MINUTE }, () => ({ running: 2 })),
    );
    expect(run.vitals?.hang?.what).toBe('engine');
  });

  test('takes no look once it has ended', () => {
    const exit = { code: null, signal: 9, at: 1000 };
    const { run } = stepAll(RUN, [{ kind: 'exited', exit, tail: [], at: 1000, seen: 1000 }, beat(2000)]);
    expect(run.phase).toBe('failed');
    expect(run.vitals?.beat).toBeNull();
  });

  test('is the same after the journal has read it again', () => {
    const { run } = stepAll(RUN, [...beats({ to: 3 * MINUTE }, () => ({ running: 2 }))]);
    expect(JSON.parse(JSON.stringify(run.vitals))).toEqual(run.vitals);
    expect(JSON.stringify(run.vitals).length).toBeLessThan(4_000);
  });
});

describe('a server that a script starts again within its run', () => {
  test('is ready no more, tells its phases, and is verified like the first', () => {
    const { run, happened } = stepAll(RUN, [log(MINUTE, START), log(2 * MINUTE, LOADING)]);
    expect(happened.map(({ kind }) => kind)).toEqual(['notice', 'phase']);
    expect(run).toMatchObject({ phase: 'loading', readiness: null, verification: null, vitals: null });
    const again = stepAll(run, [verified(3 * MINUTE), beat(4 * MINUTE)]);
    expect(again.happened.map(({ kind }) => kind)).toEqual(['ready']);
    expect(again.run.vitals?.beat?.at).toBe(4 * MINUTE);
  });

  test('has died before: its log’s reason is told with it', () => {
    const died = trouble(400, {
      type: 'torch.OutOfMemoryError',
      process: 'EngineCore',
      message: 'CUDA out of memory.',
    });
    const { happened } = stepAll(RUN, [log(MINUTE, died), log(70 * SECOND, START)]);
    expect(happened.map(({ kind }) => kind)).toEqual(['engine_dead', 'notice']);
    expect(happened[0]).toMatchObject({ death: { how: 'log', cause: { type: 'torch.OutOfMemoryError' } } });
  });

  test('is not what a log shows that is read again from its beginning', () => {
    const ready = stepAll({ ...RUN, visits: [{ phase: 'ready', at: Date.UTC(2026, 10, 30, 9) }] }, []).run;
    const clock = { now: Date.UTC(2026, 10, 30, 12), zoneMinutes: 0 };
    const old: Observation = {
      ...{ kind: 'log', source: 'main', isOld: false, clock, at: clock.now, seen: clock.now },
      events: [{ ...START, stamp: '11-30 08:00:00' }],
    };
    expect(stepAll(ready, [old]).run.phase).toBe('ready');
  });

  test('was not usable before: what was found of it is no word on the new one, which is told anew', () => {
    const unusable = (at: number): Observation => ({
      kind: 'unusable',
      verification: { ...WELL, outcome: 'unusable' },
      at,
      seen: at,
    });
    const { run } = stepAll(
      { ...RUN, phase: 'verifying', visits: [{ phase: 'verifying', at: 0 }], verification: null },
      [unusable(SECOND), log(MINUTE, START), log(2 * MINUTE, ...UP)],
    );
    expect(run).toMatchObject({ phase: 'verifying', verification: null });
    expect(toldOf(run, [unusable(3 * MINUTE)])).toEqual(['unusable']);
  });

  test('for the hundredth time is ready since then, and young', () => {
    const starts = Array.from({ length: 100 }, (_, index) => [
      log((3 * index + 1) * MINUTE, START, LOADING, ...UP.slice(1)),
      verified((3 * index + 2) * MINUTE),
    ]).flat();
    const { run } = stepAll(RUN, starts);
    expect(run.visits.at(-1)).toEqual({ phase: 'ready', at: 299 * MINUTE });
    expect(run.visits.length).toBeLessThan(101);
    expect(
      toldOf(
        run,
        beats({ from: 300 * MINUTE, to: 302 * MINUTE }, () => ({ running: 2 })),
      ),
    ).toEqual([]);
  });

  test('is none while the run is being stopped', () => {
    expect(stepAll({ ...RUN, stopBy: 'U0BOB' }, [log(MINUTE, START)]).run.phase).toBe('ready');
  });
});

test('a dead engine of a server whose process nobody sees is told with the next second, too', () => {
  const { request } = readyRun();
  const found = { process: null, answered: true, isTls: false, size: 0, trigger: null } as unknown as NonNullable<
    typeof request.found
  >;
  const unseen = readyRun({ request: { ...request, found } });
  const gone: Observation = {
    ...{ kind: 'sample', at: 2 * SECOND, seen: 2 * SECOND },
    sample: { at: 2 * SECOND, bootId: 'b', init: 1, alive: false, exit: null, logSize: 0, tree: null },
  };
  expect(toldOf(unseen, [beat(0, { health: 'dead', counters: null }), gone])).toEqual(['engine_dead']);
});

test('looks of a host that was not heard are no alarm, and no part of one that comes after', () => {
  const still = () => ({ running: 2 });
  const away: Observation = { kind: 'out_of_contact', why: 'x', at: 30 * SECOND, seen: 30 * SECOND };
  const back: Observation = { kind: 'back_in_contact', silentMs: MINUTE, at: 90 * SECOND, seen: 90 * SECOND };
  const looks = [
    ...beats({ to: 20 * SECOND }, still),
    away,
    ...beats({ from: 40 * SECOND, to: 80 * SECOND }, still),
    back,
    ...beats({ from: 100 * SECOND, to: 130 * SECOND }, still),
  ];
  expect(toldOf({ ...RUN, vitals: null }, looks)).toEqual(['out_of_contact', 'back_in_contact']);
});
