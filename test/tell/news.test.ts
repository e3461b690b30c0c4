import { expect, test } from 'vitest';
import type { RunEvent, RunEventBody } from '../../src/run/run.ts';
import { isOldNews, isUrgent } from '../../src/tell/news.ts';
import { sampleRun, T0 } from '../report/sample-run.ts';

const MINUTE = 60_000;
const RUN = sampleRun({ phase: 'loading' });
const LOADING: RunEventBody = { kind: 'phase', phase: 'loading', note: null };
const LOST: RunEventBody = { kind: 'lost', why: 'no trace' };

const event = (body: RunEventBody, times: { at?: number; seen?: number } = {}): RunEvent => ({
  seq: 3,
  at: T0,
  seen: T0,
  ...times,
  ...body,
});

test('progress is no news two minutes later, whether it was seen late or could not be told in time', () => {
  expect(isOldNews(event(LOADING), RUN, T0 + 2 * MINUTE)).toBe(false);
  expect(isOldNews(event(LOADING), RUN, T0 + 2 * MINUTE + 1)).toBe(true);
  expect(isOldNews(event(LOADING, { seen: T0 + 3 * MINUTE }), RUN, T0 + 3 * MINUTE)).toBe(true);
});

test('a host whose clock is ahead has news, too', () => {
  expect(isOldNews(event(LOADING, { at: T0 + 10 * MINUTE }), RUN, T0 + 1000)).toBe(false);
});

test('an end is news for ever', () => {
  expect(isOldNews(event(LOST), RUN, T0 + 600 * MINUTE)).toBe(false);
});

test('a run that Redis had lost does not tell its start a second time', () => {
  const adopted = { ...RUN, adoptedAt: T0 };
  expect(isOldNews(event(LOADING, { seen: T0 + MINUTE - 1 }), adopted, T0 + MINUTE)).toBe(true);
  expect(isOldNews(event(LOADING, { seen: T0 + MINUTE }), adopted, T0 + MINUTE)).toBe(false);
  expect(isOldNews(event(LOST), adopted, T0)).toBe(false);
});

test('ends and what somebody waits for are urgent, progress is not', () => {
  expect(isUrgent(event(LOST))).toBe(true);
  expect(isUrgent(event({ kind: 'log_asked', by: 'U0BOB' }))).toBe(true);
  expect(isUrgent(event(LOADING))).toBe(false);
});
