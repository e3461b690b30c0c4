import { expect, test } from 'vitest';
import { readRun } from '../../src/queue/journal.ts';
import { isFound } from '../../src/run/request.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';

/** As JSON without what older Vigils did not write. */
function saved(run: object, request: object, leave: readonly string[]): string {
  const without = (content: object) =>
    Object.fromEntries(Object.entries(content).filter(([key]) => !leave.includes(key)));
  return JSON.stringify({ ...without(run), request: without(request) });
}

test('a server that was saved before servers could be found is one that Vigil launched', () => {
  const run = sampleRun({});
  const read = readRun(saved(run, run.request, ['found', 'confirmed']));
  expect([isFound(read), read.request.found, read.confirmed]).toEqual([false, null, null]);
  expect(read.request.stopGrace).toBe(30);
});

test('a training that a patrol had found before such could be stopped gets the time to save its checkpoint', () => {
  const process = { pid: 4711, group: 4711, user: 'bob', command: 'torchrun train.py' };
  const run = sampleTraining({}, { stopGrace: 0 });
  const read = readRun(saved(run, { ...run.request, found: { process, size: 12 } }, ['confirmed']));
  expect(read.request).toMatchObject({
    stopGrace: 120,
    found: { process: { ...process, server: null }, size: 12, trigger: null, answered: false },
  });
  const unseen = readRun(saved(run, { ...run.request, found: { process: null, size: 12 } }, ['confirmed']));
  expect(unseen.request.found).toEqual({ process: null, size: 12, trigger: null, answered: false });
});
