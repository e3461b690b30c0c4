import { expect, test } from 'vitest';
import { acceptanceWords, curveBars, curveNumbers } from '../../src/report/curve.ts';
import { GOOD_DRAFTS, LOST_DRAFTS } from './sample-run.ts';

test('each position is one bar, and full height is full acceptance', () => {
  expect(curveBars([1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125])).toBe('█▇▆▅▄▃▂▁');
});

test('a position at which nothing was accepted differs from one at which little was', () => {
  expect(curveBars([0.158, 0.0001, 0])).toBe('▂▁·');
});

test('what no share is doesn’t break the line', () => {
  expect(curveBars([1.4, Number.NaN, -1, Number.POSITIVE_INFINITY])).toBe('█··█');
});

test('a curve longer than a phone’s line is cut, and its last number still told', () => {
  const curve = [...Array.from({ length: 39 }, () => 0.5), 0.25];
  expect(curveBars(curve)).toBe(`${'▄'.repeat(32)}…`);
  expect(curveNumbers(curve)).toBe('50 % at position 1, 50 % at 2, 25 % at 40');
});

test.each([
  [[], ''],
  [[0.7], '70 % at position 1'],
  [[0.7, 0.45], '70 % at position 1, 45 % at 2'],
  [GOOD_DRAFTS.curve, '70 % at position 1, 45 % at 2, below 0.1 % at 15'],
])('of %j the numbers are %j, for whoever can’t see the bars', (curve, numbers) => {
  expect(curveNumbers(curve)).toBe(numbers);
});

test('a good drafter and one with a wrong config are told apart at a glance', () => {
  expect(acceptanceWords(GOOD_DRAFTS)).toMatchInlineSnapshot(
    `"mean acceptance length 2.70, acceptance rate 11 %, by position \`▆▄▃▂▁▁▁▁▁▁▁▁▁▁▁\`: 70 % at position 1, 45 % at 2, below 0.1 % at 15"`,
  );
  expect(acceptanceWords(LOST_DRAFTS)).toMatchInlineSnapshot(
    `"mean acceptance length 1.18, acceptance rate 1.2 %, by position \`▂▁▁············\`: 16 % at position 1, 1.9 % at 2, 0 % at 15"`,
  );
});

test('without positions the rate stands alone', () => {
  expect(acceptanceWords({ ...GOOD_DRAFTS, curve: [] })).toBe('mean acceptance length 2.70, acceptance rate 11 %');
});
