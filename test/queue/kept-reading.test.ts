import { expect, test } from 'vitest';
import { keepReadings } from '../../src/queue/kept-reading.ts';

test('what is written as before is read once, and anew where it changed', () => {
  const read: string[] = [];
  const reading = keepReadings((written) => {
    read.push(written);
    return { written };
  });
  expect(reading('a', '1')).toBe(reading('a', '1'));
  expect(reading('a', '2')).toEqual({ written: '2' });
  expect(reading('b', '2')).toEqual({ written: '2' });
  expect(read).toEqual(['1', '2', '2']);
});

test('what can not be read is refused each time', () => {
  const reading = keepReadings((written) => JSON.parse(written) as unknown);
  for (const _ of [1, 2]) expect(() => reading('a', '{')).toThrow(SyntaxError);
});

test('no more than the newest keys are remembered', () => {
  let reads = 0;
  const reading = keepReadings(() => ++reads);
  for (let key = 0; key < 501; key++) reading(String(key), 'x');
  reading('500', 'x');
  expect(reads).toBe(501);
  reading('0', 'x');
  expect(reads).toBe(502);
});
