import { expect, test } from 'vitest';
import { NO_WORK } from '../../src/pulse/work.ts';
import { readRun } from '../../src/queue/journal.ts';
import { stepAll } from '../../src/run/step.ts';
import { sampleRun, T0 } from '../report/sample-run.ts';

test('a run that was saved before runs had a pulse goes on as one that moves', () => {
  const { work: _, ...old } = sampleRun({});
  const run = readRun(JSON.stringify({ ...old, silenceTold: true }));
  expect([run.pulse, run.work]).toEqual(['moving', NO_WORK]);
  const { alarms: _alarms, idleFrom: _idleFrom, ...older } = { ...NO_WORK, told: ['quiet'] };
  expect(readRun(JSON.stringify({ ...old, work: older })).work).toEqual({ ...NO_WORK, told: ['quiet'] });
  const at = T0 + 70_000;
  const sample = { at, bootId: 'boot-1', init: 1, alive: true, exit: null, logSize: 0, tree: null };
  expect(stepAll(run, [{ kind: 'sample', sample, at, seen: at }]).run).toMatchObject({ pulse: 'moving', seenAt: at });
});
