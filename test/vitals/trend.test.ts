import { describe, expect, test } from 'vitest';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import type { Acceptance } from '../../src/verify/verification.ts';
import { WELL } from '../report/sample-run.ts';
import { type BeatOptions, beats, HOUR, MINUTE, readyRun, SECOND, toldOf } from './scene.ts';

/** 200 drafts a minute, of which so many tokens are accepted at each moment (mean length). */
function drafting(to: number, length: (at: number) => number, options: BeatOptions = {}): Observation[] {
  let accepted = 0;
  const every = 30 * SECOND;
  return beats(
    { to, every },
    (at) => {
      const drafts = (at / MINUTE) * 200;
      if (at > 0) accepted += 100 * (length(at) - 1);
      return {
        running: 1,
        generatedTokens: 5000 + at,
        drafts: { drafts, draftTokens: drafts * 7, accepted, perPosition: [accepted] },
      };
    },
    options,
  );
}

const ofPrompts: Acceptance = { rate: 0.2, length: 2.4, curve: [0.8], drafts: 300, of: 'prompts' };

describe('the acceptance of a ready server’s drafts', () => {
  test('that falls for three windows in a row is told once, with before and after', () => {
    const { run, happened } = stepAll(
      readyRun(),
      drafting(8 * HOUR, (at) => (at <= HOUR ? 3 : 1.2)),
    );
    expect(happened.map(({ kind }) => kind)).toEqual(['acceptance_fell']);
    expect(run.vitals?.fall?.before.length).toBeCloseTo(3);
    expect(run.vitals?.fall?.after.length).toBeCloseTo(1.2);
    expect(run.vitals?.fall?.floor).toBeNull();
  });

  test.each([
    ['random text, which halves it', 2],
    ['a thinking mode, which takes more than half', 1.85],
  ])('under %s is no fall', (_, length) => {
    expect(
      toldOf(
        readyRun(),
        drafting(8 * HOUR, (at) => (at <= HOUR ? 3 : length)),
      ),
    ).toEqual([]);
  });

  test('that dips and comes back is no fall', () => {
    expect(
      toldOf(
        readyRun(),
        drafting(8 * HOUR, (at) => (at % HOUR < 12 * MINUTE ? 1.1 : 3)),
      ),
    ).toEqual([]);
  });

  test('is compared with its verification, where that was lower than its first traffic', () => {
    const verified = readyRun({ verification: { ...WELL, acceptance: ofPrompts } });
    const { run } = stepAll(
      verified,
      drafting(3 * HOUR, (at) => (at <= HOUR ? 4 : 1.7)),
    );
    expect(run.vitals?.fall).toBeNull();
    expect(run.vitals?.memory.trend.reference).toEqual(ofPrompts);
  });

  test('below the recipe’s floor is told, unless it was there from the start', () => {
    const floor = { acceptanceFloor: 2.5 };
    const { run } = stepAll(
      readyRun(),
      drafting(3 * HOUR, (at) => (at <= HOUR ? 3 : 2.3), floor),
    );
    expect(run.vitals?.fall?.floor).toBe(2.5);
    expect(
      toldOf(
        readyRun(),
        drafting(3 * HOUR, () => 2.3, floor),
      ),
    ).toEqual([]);
  });

  test('of a drafter that never gained anything cannot fall', () => {
    expect(
      toldOf(
        readyRun(),
        drafting(3 * HOUR, (at) => (at <= HOUR ? 1.05 : 1)),
      ),
    ).toEqual([]);
  });

  test('is not judged by the drafts of before a restart', () => {
    const later = drafting(3 * HOUR, () => 1.2).map((one): Observation => {
      if (one.kind !== 'beat') return one;
      return { ...one, at: one.at + 4 * HOUR, beat: { ...one.beat, at: one.at + 4 * HOUR } };
    });
    const looks = [...drafting(HOUR, () => 3), ...later];
    const { happened } = stepAll(readyRun(), looks);
    expect(happened.map(({ kind, at }) => [kind, at])).toEqual([['acceptance_fell', 4 * HOUR + 15 * MINUTE]]);
  });
});
