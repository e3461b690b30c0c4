import { expect, test } from 'vitest';
import { judgeMeasured } from '../../src/verify/judge.ts';
import type { Measured } from '../../src/verify/measured.ts';
import { verifyFingerprint } from '../../src/verify/trouble.ts';
import { drafted, even, HEALTHY, MISLED, measured, record } from './samples.ts';

const of = (changes: Partial<Measured>) => verifyFingerprint(judgeMeasured(measured(changes)).verification);

test('what is well has no fingerprint', () => {
  expect(of({})).toBeNull();
});

test('the same trouble has the same fingerprint, whatever its numbers, names and record', () => {
  const misled = of({ prompts: drafted(MISLED) });
  expect(misled).toMatch(/^[\da-f]{12}$/);
  expect(of({ prompts: drafted(even(0.11, 0.2), 700) })).toBe(misled);
  expect(of({ prompts: drafted(MISLED), record: record(90, HEALTHY), version: '0.25.0' })).toBe(misled);
  expect(of({ prompts: drafted(MISLED), floor: { acceptanceLength: 2, tokensPerSecond: 900 } })).toBe(misled);
});

test('troubles of another kind have others', () => {
  const prints = [
    of({ prompts: drafted(MISLED) }),
    of({ prompts: drafted(even(0, 0)) }),
    of({ prompts: drafted([0.62, 0.14, 0.05, 0.02]) }),
    of({ floor: { acceptanceLength: null, tokensPerSecond: 900 } }),
    of({ models: { kind: 'named', names: ['other'] } }),
  ];
  expect(new Set(prints).size).toBe(prints.length);
});
