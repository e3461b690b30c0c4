import { describe, expect, test } from 'vitest';
import { hangBudget, looksLikeHang } from '../../src/vitals/hang.ts';
import { beat, beats, HOUR, IDLE, log, MINUTE, readyRun, SECOND, toldOf, waits, watched } from './scene.ts';

const ASKED = { running: 3, waiting: 1, kv: 0.4 };
const moving = (at: number) => ({ ...ASKED, generatedTokens: 5000 + at });
const still = () => ASKED;

describe('the engine of a ready server', () => {
  test('that has requests and moves nothing for a minute is told once, with what shows it', () => {
    const looks = [
      ...beats({ to: MINUTE }, moving),
      ...beats({ from: 70 * SECOND, to: 10 * MINUTE }, () => moving(MINUTE)),
    ];
    const { run, happened } = watched(readyRun(), looks);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['hang', 2 * MINUTE]]);
    expect(run.vitals?.hang).toEqual({
      what: 'engine',
      forMs: MINUTE,
      ...{ running: 3, waiting: 1, health: 'ok', generatedTokens: 65_000, cores: null, gpuUse: null },
      saysThatItWaits: false,
    });
  });

  test.each([
    ['iterations', { iterations: 701 }],
    ['prompt tokens', { promptTokens: 1001 }],
    ['generated tokens', { generatedTokens: 5001 }],
    ['finished requests', { finished: 21 }],
    ['its cache, while it computes a long prompt', { kv: 0.5 }],
  ])('does not hang while %s move', (_, change) => {
    const looks = beats({ to: 5 * MINUTE }, (at) => (at % MINUTE < 30 * SECOND ? ASKED : { ...ASKED, ...change }));
    expect(toldOf(readyRun(), looks)).toEqual([]);
  });

  test('that idles does not hang, however long nothing moves', () => {
    expect(
      toldOf(
        readyRun(),
        beats({ to: 3 * HOUR, every: MINUTE / 2 }, () => ({})),
      ),
    ).toEqual([]);
  });

  test('where iterations are not counted, is judged by its tokens', () => {
    const uncounted = { ...ASKED, iterations: null };
    expect(
      toldOf(
        readyRun(),
        beats({ to: 2 * MINUTE }, () => uncounted),
      ),
    ).toEqual(['hang']);
    const tokens = beats({ to: 5 * MINUTE }, (at) => ({ ...uncounted, generatedTokens: 5000 + at }));
    expect(toldOf(readyRun(), tokens)).toEqual([]);
  });

  test('goes on, and that is told with how long it stood', () => {
    const looks = [...beats({ to: 2 * MINUTE }, still), ...beats({ from: 130 * SECOND, to: 200 * SECOND }, moving)];
    const { run, happened } = watched(readyRun(), looks);
    expect(happened.map((one) => (one.kind === 'hang_over' ? [one.kind, one.ms] : one.kind))).toEqual([
      'hang',
      ['hang_over', 130 * SECOND],
    ]);
    expect(run.vitals?.hang).toBeNull();
  });

  test('is over it, too, when those who waited have given up', () => {
    const looks = [
      ...beats({ to: 200 * SECOND }, () => ({ waiting: 2, kv: 0.4 })),
      ...beats({ from: 210 * SECOND, to: 220 * SECOND }, () => ({ kv: 0.4 })),
    ];
    expect(toldOf(readyRun(), looks)).toEqual(['hang', 'hang_over']);
  });

  test('that hangs again and again is told less and less often', () => {
    const hangs = (from: number) => [
      ...beats({ from, to: from + 80 * SECOND }, () => moving(from)),
      ...beats({ from: from + 90 * SECOND, to: from + 110 * SECOND }, moving),
    ];
    const looks = Array.from({ length: 30 }, (_, index) => hangs(index * 2 * MINUTE)).flat();
    const told = watched(readyRun(), looks).happened.filter(({ kind }) => kind === 'hang');
    expect(told.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThan(5);
  });

  test('has longer right after it became ready, when first requests compile', () => {
    const young = readyRun({ visits: [{ phase: 'ready', at: 0 }] });
    expect(toldOf(young, beats({ to: 170 * SECOND }, still))).toEqual([]);
    expect(toldOf(young, beats({ to: 190 * SECOND }, still))).toEqual(['hang']);
  });

  test('with requests that only wait has three minutes: it may compile a grammar, or fetch a cache from elsewhere', () => {
    const waiting = () => ({ running: 0, waiting: 2, kv: 0.4 });
    expect(toldOf(readyRun(), beats({ to: 170 * SECOND }, waiting))).toEqual([]);
    expect(toldOf(readyRun(), beats({ to: 190 * SECOND }, waiting))).toEqual(['hang']);
  });

  test('does nothing while more and more requests wait for it: that they come is no move of its own', () => {
    const piling = (at: number) => ({ running: 0, waiting: 2 + at / SECOND, kv: 0.4 });
    expect(toldOf(readyRun(), beats({ to: 4 * MINUTE }, piling))).toEqual(['hang']);
  });

  test('that sleeps, as somebody has told it to, does not hang', () => {
    expect(
      toldOf(
        readyRun(),
        beats({ to: 10 * MINUTE }, () => ({ ...ASKED, isAsleep: true as const })),
      ),
    ).toEqual([]);
  });

  test('that completes a small request has none of those that its gauges still show: they were given up all at once', () => {
    const answered = (at: number) => beat(at, { counters: { ...IDLE, ...ASKED, finished: 21 }, answered: true });
    const stale = (from: number, to: number) => beats({ from, to }, () => ({ ...ASKED, finished: 21 }));
    const looks = [...beats({ to: 30 * SECOND }, still), answered(40 * SECOND), ...stale(50 * SECOND, HOUR)];
    expect(toldOf(readyRun(), looks)).toEqual([]);
    const later = beats({ from: HOUR, to: HOUR + 2 * MINUTE }, () => ({ ...ASKED, running: 4, finished: 21 }));
    expect(toldOf(readyRun(), [...looks, ...later])).toEqual(['hang']);
  });

  test('hangs all the same when it has worked since, with as many requests as were given up', () => {
    const answered = beat(10 * SECOND, { counters: { ...IDLE, ...ASKED }, answered: true });
    const worked = beats({ from: 20 * SECOND, to: 3 * MINUTE }, () => ({ ...ASKED, generatedTokens: 5100 }));
    expect(toldOf(readyRun(), [beat(0), answered, ...worked])).toEqual(['hang']);
  });

  test('for which a compiler runs has a quarter of an hour', () => {
    const compiling = (to: number) =>
      beats({ to }, still).map((one) =>
        one.kind === 'beat' ? { ...one, beat: { ...one.beat, newcomerAt: 30 * SECOND } } : one,
      );
    expect(toldOf(readyRun(), compiling(14 * MINUTE))).toEqual([]);
    expect(toldOf(readyRun(), compiling(16 * MINUTE))).toEqual(['hang']);
  });

  test('that hangs for longer than the flickers before it is told, however short ago they were', () => {
    const looks = [
      ...beats({ to: 80 * SECOND }, still),
      ...beats({ from: 90 * SECOND, to: 110 * SECOND }, moving),
      ...beats({ from: 2 * MINUTE, to: 200 * SECOND }, () => moving(1)),
      ...beats({ from: 210 * SECOND, to: 230 * SECOND }, moving),
      ...beats({ from: 6 * MINUTE, to: 7 * MINUTE + 10 * SECOND }, () => moving(2)),
      ...beats({ from: 440 * SECOND, to: 8 * MINUTE }, moving),
      ...beats({ from: 490 * SECOND, to: 20 * MINUTE }, () => moving(3)),
    ];
    const told = watched(readyRun(), looks).happened.filter(({ kind }) => kind === 'hang');
    expect(told.at(-1)).toMatchObject({ hang: { forMs: 5 * MINUTE } });
  });

  test('is told in time after the host’s clock was set back', () => {
    const day = 24 * HOUR;
    const looks = [
      ...beats({ from: day, to: day + 90 * SECOND }, still),
      ...beats({ from: day + 100 * SECOND, to: day + 110 * SECOND }, moving),
      ...beats({ from: HOUR, to: HOUR + 10 * MINUTE }, moving),
      ...beats({ from: HOUR + 10 * MINUTE, to: HOUR + 12 * MINUTE }, still),
    ];
    const run = readyRun({ visits: [{ phase: 'ready', at: -HOUR }] });
    expect(toldOf(run, looks)).toEqual(['hang', 'hang_over', 'hang']);
  });

  test('whose clock is set back while it hangs is over it after no less than no time', () => {
    const looks = [...beats({ from: HOUR, to: HOUR + 2 * MINUTE }, still), ...beats({ to: 20 * SECOND }, moving)];
    const { happened } = watched(readyRun({ visits: [{ phase: 'ready', at: -HOUR }] }), looks);
    expect(happened.map((one) => (one.kind === 'hang_over' ? one.ms : one.kind))).toEqual(['hang', MINUTE]);
  });

  test('has as long as its recipe says', () => {
    expect(toldOf(readyRun({}, { ready: 300 }), beats({ to: 290 * SECOND }, still))).toEqual([]);
    expect(toldOf(readyRun({}, { ready: 300 }), beats({ to: 310 * SECOND }, still))).toEqual(['hang']);
    expect(hangBudget({ at: 0, readyAt: 0, budgetMs: 5000, counters: null })).toBe(5000);
  });

  test('is not called hung for a time in which nobody looked', () => {
    const looks = [...beats({ to: 20 * SECOND }, still), ...beats({ from: HOUR, to: HOUR + 30 * SECOND }, still)];
    expect(toldOf(readyRun(), looks)).toEqual([]);
  });

  test('that stands still through a gap in the looks is told a budget after it', () => {
    const looks = [...beats({ to: 20 * SECOND }, still), ...beats({ from: HOUR, to: HOUR + 2 * MINUTE }, still)];
    expect(toldOf(readyRun(), looks)).toEqual(['hang']);
  });

  test('is nobody’s alarm while the host is out of contact, or while it is being stopped', () => {
    expect(toldOf(readyRun({ pulse: 'out_of_contact' }), beats({ to: 5 * MINUTE }, still))).toEqual([]);
    expect(toldOf(readyRun({ stopBy: 'U0BOB' }), beats({ to: 5 * MINUTE }, still))).toEqual([]);
  });

  test('is worth a look at its GPUs once it stands still, and no more once that is told', () => {
    const { vitals: moves } = watched(readyRun(), beats({ to: 30 * SECOND }, moving)).run;
    const { vitals: stands } = watched(readyRun(), beats({ to: 30 * SECOND }, still)).run;
    const { vitals: told } = watched(readyRun(), beats({ to: 2 * MINUTE }, still)).run;
    expect([moves, stands, told].map((one) => one !== null && looksLikeHang(one))).toEqual([false, true, false]);
  });
});

describe('an engine that says that it waits for a worker', () => {
  test('hangs where it says so a second time, though its counters show no request: they come with its steps', () => {
    const looks = beats({ to: 3 * MINUTE }, () => ({})).flatMap((one) =>
      one.at === MINUTE || one.at === 2 * MINUTE ? [waits(one.at), one] : [one],
    );
    const { run, happened } = watched(readyRun(), looks);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['hang', 2 * MINUTE]]);
    expect(run.vitals?.hang).toMatchObject({ what: 'engine', forMs: 2 * MINUTE, saysThatItWaits: true });
  });

  test('hangs where nothing is counted at all, and is over it when it says so no more', () => {
    const silent = (at: number) => beat(at, { counters: null });
    const looks = Array.from({ length: 40 }, (_, index) => silent(index * 10 * SECOND)).flatMap((one) =>
      [60, 120, 180].includes(one.at / SECOND) ? [waits(one.at), one] : [one],
    );
    expect(toldOf(readyRun(), looks)).toEqual(['hang', 'hang_over']);
  });

  test('does not where it has moved since', () => {
    const looks = beats({ to: 4 * MINUTE }, moving).flatMap((one) =>
      one.at % MINUTE === 0 ? [waits(one.at), one] : [one],
    );
    expect(toldOf(readyRun(), looks)).toEqual([]);
  });

  test('hangs beside another engine that moves', () => {
    const two = (at: number) => ({ ...moving(at), engines: 2 });
    const looks = beats({ to: 3 * MINUTE }, two).flatMap((one) =>
      one.at > 0 && one.at % MINUTE === 0 ? [waits(one.at), one] : [one],
    );
    expect(toldOf(readyRun(), looks)).toEqual(['hang']);
  });

  test('counts once a minute, however many cores say it', () => {
    const looks = [
      waits(0),
      waits(100),
      waits(200),
      beat(SECOND, { counters: null }),
      beat(11 * SECOND, { counters: null }),
    ];
    expect(toldOf(readyRun(), looks)).toEqual([]);
  });
});

describe('a server that does not answer', () => {
  test.each(['silent', 'refused'] as const)(
    '(%s) while its process lives is told after a minute, and its way back',
    (health) => {
      const away = Array.from({ length: 12 }, (_, index) => beat(index * 10 * SECOND, { health, counters: null }));
      const { run, happened } = watched(readyRun(), [...away, beat(130 * SECOND)]);
      expect(happened.map(({ kind, at }) => [kind, at])).toEqual([
        ['hang', MINUTE],
        ['hang_over', 130 * SECOND],
      ]);
      expect(happened[0]).toMatchObject({ hang: { what: 'server', health } });
      expect(run.vitals?.hang).toBeNull();
    },
  );

  test('in time, whose log moves, has five minutes: it is busy, and others may be answered', () => {
    const busy = (to: number) =>
      Array.from({ length: to / 10 + 1 }, (_, index) => [
        log(index * 10 * SECOND),
        beat(index * 10 * SECOND, { health: 'silent', counters: null }),
      ]).flat();
    expect(toldOf(readyRun(), busy(290))).toEqual([]);
    expect(toldOf(readyRun(), busy(310))).toEqual(['hang']);
  });

  test('once is no news', () => {
    const looks = [
      beat(0),
      beat(10 * SECOND, { health: 'silent', counters: null }),
      beat(20 * SECOND),
      beat(10 * MINUTE),
    ];
    expect(toldOf(readyRun(), looks)).toEqual([]);
  });
});

test('counters that begin anew are a move', () => {
  const looks = [
    ...beats({ to: 50 * SECOND }, still),
    ...beats({ from: MINUTE, to: 100 * SECOND }, () => ({ ...IDLE, ...ASKED, generatedTokens: 3 })),
  ];
  expect(toldOf(readyRun(), looks)).toEqual([]);
});
