import { expect, test } from 'vitest';
import type { TeamRow } from '../../src/config/config.ts';
import { parseLinearPattern } from '../../src/linear-pattern.ts';
import type { Trouble } from '../../src/log/events.ts';
import type { Observation } from '../../src/run/observe.ts';
import { stepAll } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';

const at = { at: 1000, seen: 1000 };

test('the cause of a run that fails is explained by the row of vigil.yaml that fits it', () => {
  const pattern = parseLinearPattern('no space left.*/scratch');
  if ('wrong' in pattern) throw new Error(pattern.wrong);
  const row: TeamRow = { pattern, title: 'The scratch disk is full', advice: 'Ask Ada.', category: null, kind: null };
  const trouble: Trouble = {
    ...{ line: 9, type: 'OSError', process: null, pid: null, traceback: null },
    message: "[Errno 28] No space left on device: '/scratch/x'",
  };
  const clock = { now: 1000, zoneMinutes: 0 };
  const events = [{ kind: 'trouble', trouble, line: 9, stamp: null }] as const;
  const seen: Observation[] = [
    { kind: 'log', source: 'main', events, clock, isOld: false, ...at },
    { kind: 'exited', exit: { code: 1, signal: null, at: 1000 }, tail: [], ...at },
  ];
  const { run } = stepAll(sampleRun({ phase: 'loading' }), seen, [row]);
  expect(run.failure).toMatchObject({
    cause: { row: 'team', title: 'The scratch disk is full', remedy: 'Ask Ada.', category: 'disk_full' },
  });
});
