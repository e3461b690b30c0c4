import { describe, expect, test } from 'vitest';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import type { Counters } from '../../src/vitals/counters.ts';
import type { Load } from '../../src/vitals/vitals.ts';
import { beat, beats, HOUR, IDLE, MINUTE, readyRun, SECOND, sample, watched } from './scene.ts';

/** The loads that the card shows, one after the other. */
function loadsOf(observations: Parameters<typeof stepAll>[1], from: Run = readyRun()): Load[] {
  const loads: Load[] = [];
  let run = from;
  for (const observation of observations) {
    run = stepAll(run, [observation]).run;
    const load = run.vitals?.load ?? null;
    if (load !== null && load !== loads.at(-1)) loads.push(load);
  }
  return loads;
}

const busy = (at: number): Partial<Counters> => ({
  running: 2,
  waiting: 1,
  kv: 0.25,
  promptTokens: 1000 + at / 100,
  generatedTokens: 5000 + at / 20,
  finished: 20 + at / MINUTE,
});

test('a server that counts nothing shows when it answered last, every five minutes; an old load goes', () => {
  const silent = (from: number, to: number) => beats({ from, to }, () => ({})).map((one) => uncounted(one));
  const shown = (looks: readonly Observation[]) => {
    const { vitals } = watched(readyRun(), looks).run;
    return [vitals?.load?.at ?? null, vitals?.answeredAt ?? null];
  };
  expect(shown(silent(0, 4 * MINUTE))).toEqual([null, 0]);
  expect(shown(silent(0, 7 * MINUTE))).toEqual([null, 5 * MINUTE]);
  const counted = beats({ to: MINUTE }, () => ({}));
  expect(shown([...counted, ...silent(70 * SECOND, 3 * MINUTE)])[1]).toBeNull();
  expect(shown([...counted, ...silent(70 * SECOND, 11 * MINUTE)])).toEqual([null, 10 * MINUTE + 20 * SECOND]);
});

function uncounted(one: Observation): Observation {
  return one.kind === 'beat' ? { ...one, beat: { ...one.beat, counters: null } } : one;
}

describe('the load of a ready server', () => {
  test('is shown at the second look, and then every five minutes', () => {
    const loads = loadsOf(beats({ to: 21 * MINUTE }, busy));
    expect(loads.map(({ at }) => at / SECOND)).toEqual([10, 310, 610, 910, 1210]);
  });

  test('is what the counters did in between', () => {
    expect(loadsOf(beats({ to: 6 * MINUTE }, busy)).at(-1)).toEqual({
      at: 310 * SECOND,
      overMs: 300 * SECOND,
      ...{ running: 2, waiting: 1, kv: 0.25 },
      promptRate: 10,
      generationRate: 50,
      finishedRate: 1,
      acceptance: null,
      answers: { ok: 0, client: 0, server: 0 },
    });
  });

  test('has the acceptance of its drafts, and none where there were none', () => {
    const drafts = (at: number) => ({
      drafts: at / 100,
      draftTokens: (at / 100) * 3,
      accepted: at / 50,
      perPosition: [at / 100, at / 200, at / 200],
    });
    const drafting = loadsOf(beats({ to: 6 * MINUTE }, (at) => ({ ...busy(at), drafts: drafts(at) })));
    expect(drafting.at(-1)?.acceptance).toMatchObject({ length: 3, rate: 2 / 3, curve: [1, 0.5, 0.5], of: 'traffic' });
    const idle = loadsOf(beats({ to: 6 * MINUTE }, () => ({ drafts: drafts(0) })));
    expect(idle.at(-1)?.acceptance).toBeNull();
  });

  test('counts how many answers were the clients’ mistakes', () => {
    const refusing = loadsOf(
      beats({ to: 6 * MINUTE }, (at) => ({ answers: { ok: 20, client: at / SECOND, server: 0 } })),
    );
    expect(refusing.at(-1)?.answers).toEqual({ ok: 0, client: 300, server: 0 });
  });

  test('is shown soon after an idle server is asked, over the time since then alone', () => {
    const looks = [
      ...beats({ to: 2 * MINUTE }, () => ({})),
      ...beats({ from: 130 * SECOND, to: 4 * MINUTE }, (at) => busy(at - 2 * MINUTE)),
    ];
    const loads = loadsOf(looks);
    expect(loads.map(({ at, overMs }) => [at / SECOND, overMs / SECOND])).toEqual([
      [10, 10],
      [140, 20],
    ]);
    expect(loads.at(-1)?.generationRate).toBe(50);
  });

  test('is shown soon after the last request is done', () => {
    const last = { ...busy(2 * MINUTE), running: 0, waiting: 0 };
    const looks = [...beats({ to: 2 * MINUTE }, busy), ...beats({ from: 130 * SECOND, to: 5 * MINUTE }, () => last)];
    const loads = loadsOf(looks);
    expect(loads.map(({ at }) => at / SECOND)).toEqual([10, 150]);
    expect(loads.at(-1)).toMatchObject({ running: 0, generationRate: 0 });
  });

  test('changes a card at most once a minute, and seldom for requests that come one by one', () => {
    const alternating = loadsOf(
      beats({ to: HOUR }, (at) => (at % MINUTE < MINUTE / 2 ? busy(at) : { ...busy(at), running: 0, waiting: 0 })),
    );
    for (const [index, { at }] of alternating.slice(1).entries())
      expect(at - (alternating[index]?.at ?? 0)).toBeGreaterThanOrEqual(MINUTE);
    const single = (at: number) => ({ generatedTokens: 5000 + Math.floor(at / (2 * MINUTE)) * 100 });
    expect(loadsOf(beats({ to: HOUR }, single)).length).toBeLessThanOrEqual(20);
  });

  test('begins a new window where the counters began anew', () => {
    const anew = (at: number) => ({
      ...IDLE,
      ...busy(0),
      generatedTokens: (at - 3 * MINUTE) / 20,
      promptTokens: 0,
      finished: 0,
    });
    const looks = [...beats({ to: 3 * MINUTE }, busy), ...beats({ from: 190 * SECOND, to: 9 * MINUTE }, anew)];
    const loads = loadsOf(looks);
    expect(loads.at(-1)).toMatchObject({ at: 490 * SECOND, overMs: 300 * SECOND, generationRate: 50 });
  });

  test('of hours in which nobody looked is not told', () => {
    const looks = [...beats({ to: MINUTE }, busy), ...beats({ from: 5 * HOUR, to: 5 * HOUR + 6 * MINUTE }, busy)];
    const loads = loadsOf(looks);
    expect(Math.max(...loads.map(({ overMs }) => overMs))).toBe(5 * MINUTE);
  });

  test('stays as it was while nothing is counted', () => {
    const looks = [
      ...beats({ to: MINUTE }, busy),
      ...[70, 80, 400].map((at) => beat(at * SECOND, { counters: null, health: 'silent' })),
    ];
    expect(loadsOf(looks)).toHaveLength(1);
  });

  test('moves on while the run is being stopped, and not before it is ready', () => {
    expect(loadsOf(beats({ to: MINUTE }, busy), readyRun({ stopBy: 'U0BOB' }))).toHaveLength(1);
    const loading = readyRun({ phase: 'loading', vitals: null });
    expect(stepAll(loading, [sample(0), ...beats({ to: MINUTE }, busy)]).run.vitals).toBeNull();
  });
});
