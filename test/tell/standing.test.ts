import { expect, test } from 'vitest';
import type { Run } from '../../src/run/run.ts';
import { standingOf } from '../../src/tell/standing.ts';
import { sampleRun, WELL } from '../report/sample-run.ts';

const UNUSABLE = { ...WELL, outcome: 'unusable' } as const;

test.each<[string, Run, string]>([
  ['is loading', sampleRun({ phase: 'loading' }), 'under way'],
  ['is ready', sampleRun({ phase: 'ready', verification: WELL }), 'up'],
  ['is ready with warnings', sampleRun({ phase: 'ready', verification: { ...WELL, outcome: 'warnings' } }), 'up'],
  ['nobody can ask', sampleRun({ phase: 'launched', isToldUnverified: true }), 'up'],
  ['completes nothing', sampleRun({ phase: 'verifying', verification: UNUSABLE }), 'unusable'],
  ['is being stopped', sampleRun({ phase: 'ready', stopBy: 'U0BOB' }), 'stopping'],
  ['has ended', sampleRun({ phase: 'stopped', stopBy: 'U0BOB' }), 'stopped'],
])('a run that %s', (_, run, standing) => {
  expect(standingOf(run)).toBe(standing);
});
