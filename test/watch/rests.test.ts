import { expect, test } from 'vitest';
import type { WorkView } from '../../src/host/sample.ts';
import { openRests } from '../../src/watch/rests.ts';

const VIEW: WorkView = {
  at: 0,
  bytes: new Map(),
  totals: new Map(),
  partial: new Set(),
  received: null,
  tree: [],
  states: [],
};
const bytes = new Map([
  ['/slow', null],
  ['/quick', 7],
]);

test('a folder that could not be counted in a slow view rests for eight looks', () => {
  const rests = openRests();
  rests.see({ ...VIEW, bytes }, 5000);
  const looks = Array.from({ length: 9 }, () => [...rests.next()]);
  expect(looks).toEqual([...Array.from({ length: 8 }, () => ['/slow']), []]);
});

test('a folder that is not there yet is asked for in each look', () => {
  const rests = openRests();
  rests.see({ ...VIEW, bytes }, 100);
  expect([...rests.next()]).toEqual([]);
});
