import { expect, test } from 'vitest';
import type { Writer } from '../../src/host/process.ts';
import { mainProcess } from '../../src/patrol/main-process.ts';

function writer(pid: number, name: string, more: Partial<Writer> = {}): Writer {
  return {
    ...{ pid, start: pid, parent: 1, group: pid, name, by: 'open', command: name, user: 'root', since: 0, run: null },
    ...more,
  };
}

test('the oldest of those that write the log themselves is the training: its ranks and its target inherit the file', () => {
  expect(mainProcess([writer(12, 'torchrun'), writer(10, 'bash'), writer(11, 'vllm')])?.pid).toBe(10);
});

test('behind a pipe to tee it is the leader of the pipeline', () => {
  const group = { group: 20, by: 'group' } as const;
  const pipeline = [writer(21, 'tee', { group: 20 }), writer(22, 'torchrun', group), writer(20, 'bash', group)];
  expect(mainProcess(pipeline)?.pid).toBe(20);
});

test('a pipeline whose leader is gone is known by its oldest process, a lonely tee by itself', () => {
  const group = { group: 20, by: 'group' } as const;
  expect(
    mainProcess([writer(21, 'tee', { group: 20 }), writer(30, 'python', group), writer(25, 'sh', group)])?.pid,
  ).toBe(25);
  expect(mainProcess([writer(21, 'tee')])?.pid).toBe(21);
  expect(mainProcess([])).toBeNull();
});
