import { describe, expect, it } from 'vitest';
import { acceptanceBetween } from '../../src/verify/acceptance.ts';
import { draftsOf, HEALTHY } from './samples.ts';

describe('what became of drafts between two looks', () => {
  it('is the accepted part, the mean length with the bonus token, and the rate by position', () => {
    const before = { drafts: 100, draftTokens: 300, accepted: 90, perPosition: [60, 20, 10] };
    const after = { drafts: 200, draftTokens: 600, accepted: 260, perPosition: [130, 80, 50] };
    expect(acceptanceBetween(before, after, 'prompts')).toEqual({
      rate: 170 / 300,
      length: 2.7,
      curve: [0.7, 0.6, 0.4],
      drafts: 100,
      of: 'prompts',
    });
  });

  it('has length 1 where nothing was accepted, and the number of draft tokens + 1 where all was', () => {
    const none = acceptanceBetween(draftsOf([0, 0, 0], 1), draftsOf([0, 0, 0], 50), 'traffic');
    const all = acceptanceBetween(draftsOf([1, 1, 1], 1), draftsOf([1, 1, 1], 50), 'traffic');
    expect([none?.length, all?.length, all?.rate]).toEqual([1, 4, 1]);
  });

  it('is nothing without drafts between them, and where the server began anew', () => {
    const some = draftsOf(HEALTHY, 400);
    expect(acceptanceBetween(some, some, 'prompts')).toBeNull();
    expect(acceptanceBetween(some, draftsOf(HEALTHY, 100), 'prompts')).toBeNull();
    expect(acceptanceBetween(some, { ...draftsOf(HEALTHY, 800), accepted: 1 }, 'prompts')).toBeNull();
  });

  it('counts positions that only the second look has', () => {
    const before = { drafts: 0, draftTokens: 0, accepted: 0, perPosition: [] };
    expect(acceptanceBetween(before, draftsOf([0.5, 0.25], 40), 'prompts')?.curve).toEqual([0.5, 0.25]);
  });

  it('never rises, whatever the counters of several engines say', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const counts = Array.from({ length: 12 }, (_, at) => (seed * 7919 * (at + 3)) % 101);
      const accepted = counts.reduce((sum, count) => sum + count, 0);
      const before = { drafts: 0, draftTokens: 0, accepted: 0, perPosition: counts.map(() => 0) };
      const after = { drafts: 100, draftTokens: 1200, accepted, perPosition: counts };
      const { curve = [] } = acceptanceBetween(before, after, 'traffic') ?? {};
      expect(curve).toHaveLength(12);
      expect(curve.every((rate, at) => rate <= (curve[at - 1] ?? 1) && rate >= 0)).toBe(true);
    }
  });
});
