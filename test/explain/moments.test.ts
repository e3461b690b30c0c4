import { expect, it } from 'vitest';
import { Moments } from '../../src/explain/moments.ts';

it.each([
  ['within a day', ['11-30 07:41:56', '11-30 07:42:10'], 14],
  ['over midnight', ['11-30 23:59:50', '12-01 00:00:10'], 20],
  ['over New Year', ['12-31 23:59:50', '01-01 00:00:10'], 20],
  ['over a day without dates', ['23:59:50', '00:00:10'], 20],
  ['over two midnights without dates', ['23:00:00', '11:00:00', '23:00:00', '01:00:00'], 26 * 3600],
  ['over months', ['01-31 00:00:00', '02-01 00:00:00'], 86_400],
  ['from a date to a time of day', ['08-11 09:04:31', '09:04:43'], 12],
  ['from a date to a time of day behind midnight', ['08-11 23:59:59', '00:00:01'], 2],
  ['from a time of day to a date', ['23:59:50', '01-01 00:00:10'], 20],
  ['and to a time of day again, over New Year', ['20:00:00', '12-31 23:59:50', '00:00:10'], 4 * 3600 + 10],
  ['a little backwards, as processes interleave', ['11-30 07:41:56', '11-30 07:41:50'], -6],
  ['a little backwards over midnight', ['00:00:02', '23:59:58'], -4],
  ['a little backwards over New Year', ['01-01 00:00:02', '12-31 23:59:58'], -4],
])('measures from the first to the last stamp %s', (_name, stamps, seconds) => {
  const moments = new Moments();
  const found = stamps.map((stamp) => moments.of(stamp) ?? Number.NaN);
  expect((found.at(-1) ?? 0) - (found[0] ?? 0)).toBe(seconds);
});

it('makes nothing of what is no stamp', () => {
  expect(new Moments().of('yesterday')).toBeNull();
});
