import { expect, test } from 'vitest';
import type { Exit } from '../../src/host/launch.ts';
import { readRun } from '../../src/queue/journal.ts';
import { stepAll } from '../../src/run/step.ts';
import { warnedOf } from '../../src/run/warned.ts';
import { sampleRun, T0 } from '../report/sample-run.ts';

const WARNING = 'This host ends what an SSH session leaves behind.';
const run = sampleRun({ phase: 'launched' });
if (run.started === null) throw new Error('the run has not started');
const started = { ...run.started, warnings: [WARNING] };

function exitOf(more: Partial<Exit>): Exit {
  return { code: null, signal: null, at: T0, ...more };
}

test('what a start was warned of is told right after it, once', () => {
  const queued = { ...sampleRun({ phase: 'checking' }), started: null };
  const launched = { kind: 'launched' as const, started, at: T0, seen: T0 };
  const { run: next, happened } = stepAll(queued, [
    launched,
    launched,
    { kind: 'notice', text: WARNING, at: T0, seen: T0 },
  ]);
  expect(happened.map(({ kind }) => kind)).toEqual(['launched', 'notice']);
  expect(happened[1]).toMatchObject({ text: WARNING });
  expect(next.notices).toEqual([WARNING]);
});

test.each([
  ['no exit record', 'serve', null, true],
  ['TERM', 'train', exitOf({ signal: 15 }), true],
  ['HUP', 'serve', exitOf({ signal: 1 }), true],
  ['a server that exits as if asked to', 'serve', exitOf({ code: 0 }), true],
  ['a training that has finished', 'train', exitOf({ code: 0 }), false],
  ['KILL', 'serve', exitOf({ signal: 9 }), false],
  ['an exit code', 'serve', exitOf({ code: 1 }), false],
] as const)('the warning is told again with an end by %s of a %s run: %j', (_, kind, exit, isTold) => {
  const text = `The launch had warned of such an end. ${WARNING}`;
  expect(warnedOf(started, { kind }, exit)).toBe(isTold ? text : null);
  expect(warnedOf({ ...started, warnings: [] }, { kind }, exit)).toBeNull();
});

test('a start that was saved before starts had warnings is read as one without', () => {
  const { warnings: _, ...old } = started;
  expect(readRun(JSON.stringify({ ...run, started: old })).started).toEqual({ ...old, warnings: [] });
  expect(readRun(JSON.stringify({ ...run, started })).started).toEqual(started);
  expect(readRun(JSON.stringify({ ...run, started: null })).started).toBeNull();
});
