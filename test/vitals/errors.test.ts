import { describe, expect, test } from 'vitest';
import { stepAll } from '../../src/run/step.ts';
import { beat, beats, HOUR, log, MINUTE, readyRun, SECOND, toldOf, trouble } from './scene.ts';

/** Answers at a steady rate a minute from a moment on. */
function answering(rates: { ok?: number; client?: number; server?: number }, from = 0) {
  const count = (rate = 0, at: number) => Math.max(0, Math.floor(((at - from) * rate) / MINUTE));
  return (at: number) => ({
    answers: { ok: count(rates.ok, at), client: count(rates.client, at), server: count(rates.server, at) },
  });
}

describe('answers of a ready server', () => {
  test('with 5xx at a rate are told once, with how many of how many', () => {
    const { run, happened } = stepAll(readyRun(), beats({ to: 30 * MINUTE }, answering({ ok: 40, server: 10 })));
    expect(happened.map(({ kind }) => kind)).toEqual(['errors']);
    expect(happened[0]).toMatchObject({
      at: MINUTE,
      errors: { count: 10, of: 50, overMs: MINUTE, from: 'answers', last: null },
    });
    expect(run.vitals?.errors).not.toBeNull();
  });

  test('with any number of 4xx are a client’s affair', () => {
    expect(toldOf(readyRun(), beats({ to: 30 * MINUTE }, answering({ ok: 1, client: 600 })))).toEqual([]);
  });

  test.each([
    ['a few', { ok: 40, server: 1 }],
    ['few of very many', { ok: 2000, server: 20 }],
  ])('with %s 5xx are no news', (_, rates) => {
    expect(toldOf(readyRun(), beats({ to: HOUR }, answering(rates)))).toEqual([]);
  });

  test('that come and go for days are told a few times a day; the card shows them meanwhile', () => {
    const cycle = 30 * MINUTE;
    const total = (at: number) => 20 * Math.floor(at / cycle) + (at % cycle >= MINUTE ? 20 : 0);
    const looks = beats({ to: 72 * HOUR, every: 30 * SECOND }, (at) => ({
      answers: { ok: 100, client: 0, server: total(at) },
    }));
    const { run, happened } = stepAll(readyRun(), looks.slice(0, -30));
    expect(happened.length).toBeGreaterThan(5);
    expect(happened.length).toBeLessThan(18);
    expect(run.vitals?.errors).not.toBeNull();
  });

  test('are told again only after they were over, and an hour later at the soonest', () => {
    const bursts = (pause: number) => {
      const total = (at: number) => (at < MINUTE ? 0 : at < 2 * MINUTE ? 20 : at < 2 * MINUTE + pause ? 20 : 40);
      return toldOf(
        readyRun(),
        beats({ to: 2 * HOUR }, (at) => ({ answers: { ok: 100, client: 0, server: total(at) } })),
      );
    };
    expect(bursts(8 * MINUTE)).toEqual(['errors']);
    expect(bursts(40 * MINUTE)).toEqual(['errors']);
    expect(bursts(70 * MINUTE)).toEqual(['errors', 'errors']);
  });

  test('are not compared with those of before a restart, or of before a time in which nobody looked', () => {
    const restarted = [
      ...beats({ to: MINUTE }, () => ({ finished: 900, answers: { ok: 9, client: 0, server: 0 } })),
      ...beats({ from: 70 * SECOND, to: 3 * MINUTE }, () => ({
        finished: 1,
        answers: { ok: 1, client: 0, server: 50 },
      })),
    ];
    expect(toldOf(readyRun(), restarted)).toEqual([]);
    const away = [
      beat(0),
      ...beats({ from: 5 * HOUR, to: 5 * HOUR + MINUTE }, () => ({ answers: { ok: 1, client: 0, server: 50 } })),
    ];
    expect(toldOf(readyRun(), away)).toEqual([]);
  });
});

describe('where answers are not counted', () => {
  const silent = (to: number) => beats({ to }, () => ({ answers: null }));
  const failing = (process: string) =>
    silent(4 * MINUTE).flatMap((one) =>
      one.at > 0 && one.at % (30 * SECOND) === 0
        ? [log(one.at, trouble(one.at, { type: 'ValueError', process, message: 'transfer failed' })), one]
        : [one],
    );

  test('exceptions of the engine in its log are told', () => {
    const { happened } = stepAll(readyRun(), failing('EngineCore'));
    expect(happened.map(({ kind }) => kind)).toEqual(['errors']);
    expect(happened[0]).toMatchObject({ errors: { count: 5, of: null, from: 'log', last: 'transfer failed' } });
  });

  test('those of the API server are its clients’ bad requests', () => {
    expect(toldOf(readyRun(), failing('APIServer'))).toEqual([]);
  });
});

test('a dead engine fails all its requests: that is told as its death alone', () => {
  const looks = beats({ to: 3 * MINUTE }, answering({ ok: 1, server: 60 }, MINUTE / 2)).map((one) =>
    one.kind === 'beat' && one.at >= MINUTE / 2 ? { ...one, beat: { ...one.beat, health: 'dead' as const } } : one,
  );
  expect(toldOf(readyRun(), looks)).toEqual(['engine_dead']);
});
