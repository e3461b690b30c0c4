import { expect, test } from 'vitest';
import type { LogEvent } from '../../src/log/events.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';
import { verdictOnSilence } from '../../src/watch/quiet.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';

const HOUR = 3_600_000;
const NOW = 100 * 24 * HOUR;

function verdict(kind: 'serve' | 'train', silentMs: number, events: readonly LogEvent[] = []) {
  const run = { ...(kind === 'serve' ? sampleRun({}) : sampleTraining({})), heard: NOW - silentMs };
  const read = (): Reading => events.reduce(addEvent, emptyReading(kind));
  return verdictOnSilence(run, { now: NOW, settledMs: 60_000, read });
}

const SHUTDOWN: readonly LogEvent[] = [
  { kind: 'phase', phase: 'loading', line: 1, stamp: null },
  { kind: 'ready', line: 2, stamp: null },
  { kind: 'shutdown', line: 3, stamp: null },
];

test('a training whose process nobody sees is lost after six silent hours', () => {
  expect(verdict('train', 5 * HOUR)).toBe('on');
  expect(verdict('train', 6 * HOUR)).toMatchObject({ lost: expect.stringContaining('silent for 6 hours') });
});

test('a server that nobody asks for anything is silent for days', () => {
  expect(verdict('serve', 6 * 24 * HOUR)).toBe('on');
  expect(verdict('serve', 7 * 24 * HOUR)).toMatchObject({ lost: expect.stringContaining('silent for 7 days') });
});

test('a server whose log shows its end is over once it is silent', () => {
  expect(verdict('serve', 50_000, SHUTDOWN)).toBe('on');
  expect(verdict('serve', 70_000, SHUTDOWN)).toBe('over');
});
