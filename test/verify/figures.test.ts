import { expect, test } from 'vitest';
import { lengthWords, rateWords, tokensPerSecond } from '../../src/verify/figures.ts';

test.each([
  [61.24, '61.2 tokens/s'],
  [73, '73 tokens/s'],
  [739.04, '739 tokens/s'],
  [2310.4, '2,310 tokens/s'],
])('%d tokens a second are written %s, in a finding as on a card', (rate, words) => {
  expect(tokensPerSecond(rate)).toBe(words);
});

test('what is no number is called unknown', () => {
  expect(rateWords(Number.NaN)).toBe('an unknown number of');
  expect(lengthWords(Number.POSITIVE_INFINITY)).toBe('unknown');
});
