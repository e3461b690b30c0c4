import { expect, test } from 'vitest';
import { Patience } from '../../src/tell/patience.ts';

const TIMINGS = { reconnect: 3_000, away: 30_000 };

/** The waits of so many failures in a row, ms. */
function waits(count: number): number[] {
  const patience = new Patience(TIMINGS);
  return Array.from({ length: count }, () => {
    patience.failed(0);
    return patience.left(0);
  });
}

test('Slack is left alone for longer each time, and never for longer than half a minute', () => {
  for (let round = 0; round < 50; round++) {
    const all = waits(12);
    expect(all[0]).toBeLessThanOrEqual(4_500);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(1_500);
    expect(Math.max(...all)).toBeLessThanOrEqual(30_000);
    expect(Math.min(...all.slice(6))).toBe(30_000);
  }
});

test('what Slack asks for is kept, for five minutes at most', () => {
  const patience = new Patience(TIMINGS);
  patience.failed(1_000, 90_000);
  expect(patience.left(1_000)).toBe(90_000);
  expect(patience.left(91_000)).toBe(0);
  patience.failed(0, 3_600_000);
  expect(patience.left(0)).toBe(300_000);
});

test('a clock that is set back makes it no longer', () => {
  const patience = new Patience(TIMINGS);
  patience.failed(3_600_000, 20_000);
  expect(patience.left(3_590_000)).toBe(0);
});

test('an answer ends it', () => {
  const patience = new Patience(TIMINGS);
  for (let i = 0; i < 10; i++) patience.failed(0);
  patience.answered();
  expect(patience.left(0)).toBe(0);
  patience.failed(0);
  expect(patience.left(0)).toBeLessThanOrEqual(4_500);
});
