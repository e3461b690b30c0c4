import { describe, expect, test } from 'vitest';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { HOUR, MINUTE, readyRun, toldOf } from './scene.ts';

const GIB = 1024 ** 3;

/** Looks every five minutes at a file system with so much free space at each moment (GiB). */
function looks(to: number, free: (at: number) => number, total = 1000): Observation[] {
  return Array.from({ length: Math.floor(to / (5 * MINUTE)) + 1 }, (_, index) => {
    const at = index * 5 * MINUTE;
    const disk = { what: 'its log', mount: '/data', free: free(at) * GIB, total: total * GIB };
    return { kind: 'disks', disks: [disk], at, seen: at };
  });
}

describe('a file system that a ready server writes to', () => {
  test('with almost nothing left is told once', () => {
    const { run, happened } = stepAll(
      readyRun(),
      looks(2 * HOUR, () => 3),
    );
    expect(happened).toEqual([
      {
        kind: 'disk',
        disk: { what: 'its log', mount: '/data', free: 3 * GIB, total: 1000 * GIB, fullInMs: null },
        at: 0,
        seen: 0,
      },
    ]);
    expect(run.vitals?.disks).toHaveLength(1);
  });

  test('that fills and is cleaned again and again is told so twice a day at most', () => {
    const filling = (at: number) => 100 - (12 * Math.min(at % (5 * HOUR), 4 * HOUR)) / HOUR;
    const told = toldOf(readyRun(), looks(48 * HOUR, filling));
    expect(told.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThan(5);
  });

  test.each([
    ['2 % of a middling one', 15, 1000, true],
    ['more than that', 25, 1000, false],
    ['2 % of a very large one is still plenty', 60, 8000, false],
    ['5 GiB of any that isn’t small', 4, 100, true],
    ['the same of a small one', 4, 10, false],
    ['2 % of a small one', 0.001, 0.0625, true],
  ])('%s (%d of %d GiB): told %s', (_, free, total, isTold) => {
    expect(
      toldOf(
        readyRun(),
        looks(0, () => free, total),
      ),
    ).toEqual(isTold ? ['disk'] : []);
  });

  test('that would be full within twelve hours is told after an hour of looks, with how long it lasts', () => {
    const { happened } = stepAll(
      readyRun(),
      looks(3 * HOUR, (at) => 400 - (at / HOUR) * 40),
    );
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['disk', HOUR]]);
    expect(happened[0]).toMatchObject({ disk: { fullInMs: 9 * HOUR } });
  });

  test('that fills more slowly is no news', () => {
    expect(
      toldOf(
        readyRun(),
        looks(6 * HOUR, (at) => 400 - (at / HOUR) * 10),
      ),
    ).toEqual([]);
  });

  test('to which one model was fetched does not fill', () => {
    expect(
      toldOf(
        readyRun(),
        looks(6 * HOUR, (at) => (at < 20 * MINUTE ? 400 : 250)),
      ),
    ).toEqual([]);
  });

  test('is told again only after it had room', () => {
    const edge = looks(4 * HOUR, (at) => (at % (10 * MINUTE) === 0 ? 19 : 21));
    expect(toldOf(readyRun(), edge)).toEqual(['disk']);
    const freed = looks(4 * HOUR, (at) => (at < HOUR || at > 2 * HOUR ? 3 : 500));
    expect(toldOf(readyRun(), freed)).toEqual(['disk', 'disk']);
  });

  test('is not looked at once the clock of the host was set back', () => {
    const back = looks(2 * HOUR, (at) => 400 - (at / HOUR) * 40).map((one) => ({ ...one, at: HOUR - one.at }));
    expect(toldOf(readyRun(), back)).toEqual([]);
  });

  test('is nobody’s news before the server is ready, or while it is being stopped', () => {
    expect(
      toldOf(
        readyRun({ phase: 'loading', vitals: null }),
        looks(0, () => 1),
      ),
    ).toEqual([]);
    expect(
      toldOf(
        readyRun({ stopBy: 'U0BOB' }),
        looks(0, () => 1),
      ),
    ).toEqual([]);
  });

  test('that could not be looked at this time is left as it was', () => {
    const { run } = stepAll(readyRun(), [...looks(0, () => 3), { kind: 'disks', disks: [], at: MINUTE, seen: MINUTE }]);
    expect(run.vitals?.disks).toHaveLength(1);
  });
});
