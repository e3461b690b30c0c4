/** The demo of trainings as a command: what it says by its exit code, and what its reader has seen by then. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';

// Each runs a whole demo in its own processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 120_000 });

const TRAIN = ['--headless', '/dflash train trainer drafter'];
const CASES = 'test/corpus/train';

const run = (...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'rehearsal/demo.ts', ...words]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

test('exits with 1 once it is told that the target is down, though the trainer goes on', async () => {
  const { code, stdout } = await run(...TRAIN, '--scenario', 'train-target-dies');
  expect(stdout).toContain('the target server is down');
  expect(stdout).toMatch(/The target server is down and the script goes on: .*\n$/);
  expect(code).toBe(1);
});

test('needs no command for a training that somebody starts by hand: it is found, followed and told to its end', async () => {
  const { code, stdout } = await run('--headless', '--scenario', 'train-by-hand', '--speed', '20');
  expect(stdout).toMatch(/reply, also sent to the channel\n {4}trainer-1/);
  expect(stdout).toContain('has finished');
  expect(code).toBe(0);
});

test('plays the target server’s log beside the run.log', async () => {
  const folder = `${CASES}/01-healthy-finished`;
  const { code, stdout } = await run(...TRAIN, '--replay', `${folder}/log.txt`, '--aux', `${folder}/vllm.log`);
  expect(stdout).toContain('The log shows a training that finished: after it the process ends with 0.');
  expect(stdout).toContain('The target server is ready.');
  expect(stdout).toContain('has finished');
  expect(code).toBe(0);
});

test('exits with 1 when a replayed training fails, and has told the cause', async () => {
  const { code, stdout } = await run(...TRAIN, '--replay', `${CASES}/11-real-oom-one-rank/log.txt`);
  expect(stdout).toContain('torch.OutOfMemoryError');
  expect(code).toBe(1);
});

test('exits with 2 on a recipe of the other kind', async () => {
  const { code } = await run('--headless', '/dflash train trainer dflash');
  expect(code).toBe(2);
});
