import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../../rehearsal/free-port.ts';
import { startTestHost } from './connection.ts';
import { patience, processesOf, startTraining, untilSaid } from './training.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000 });

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

async function makeLog(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-log-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'given.log'), content);
  return join(folder, 'given.log');
}

test('a training by hand is a pipeline in a process group of its own, its log written by tee, and has no record of Vigil', async () => {
  const host = await startTestHost({ scenario: 'train-by-hand', speed: 50 });
  const done = host.trainByHand(await findFreePort());
  const log = join(host.home, 'dflash', 'logs', 'run.log');
  await untilSaid(() => read(log), /train\/loss=/);
  const all = await processesOf(host.folder);
  const script = all.find(({ command }) => command === 'bash train.sh');
  const tee = all.find(({ command }) => command === 'tee logs/run.log');
  expect(script?.group).toBe(script?.pid);
  expect(tee?.group).toBe(script?.group);
  expect(script?.session).not.toBe(script?.group);
  expect(script?.parent).toBe(script?.session);
  await done;
  expect(await read(log)).toMatch(/Done\. Checkpoints saved to \S+\n.*Stopping vLLM server \(pid \d+\)\n$/);
  expect(await processesOf(host.folder)).toEqual([]);
});

test('a server by hand shows as Python’s script does, writes its own log, and ends with the host', async () => {
  const host = await startTestHost({ scenario: 'good', speed: 50 });
  const port = await findFreePort();
  const pid = await host.serveByHand(port, 'vllm.log');
  await untilSaid(() => read(join(host.home, 'logs', 'vllm.log')), /Starting vLLM server|non-default args/);
  const [, program, ...words] = (await read(`/proc/${pid}/cmdline`)).split('\0');
  expect(program).toMatch(/\/vllm$/);
  expect(words).toEqual(['serve', 'Qwen/Qwen3-8B', '--port', String(port), '']);
  await host.stop();
  expect(await processesOf(host.folder)).toEqual([]);
});

test('a stopped host leaves nothing of a training behind, in whatever session it is', async () => {
  const host = await startTestHost({ scenario: 'train-by-hand', speed: 50 });
  void host.trainByHand(await findFreePort());
  await untilSaid(() => read(join(host.home, 'dflash', 'logs', 'run.log')), /train\/loss=/);
  expect((await processesOf(host.folder)).length).toBeGreaterThan(8);
  await host.stop();
  expect(await processesOf(host.folder)).toEqual([]);
});

test('a replay plays the given log as the script’s output and the second one beside it, in step', async () => {
  const main = Array.from({ length: 2_000 }, (_, line) => `main ${line}\n`).join('');
  const target = Array.from({ length: 500 }, (_, line) => `target ${line}\n`).join('');
  const replay = { log: await makeLog(main), exit: 3, aux: await makeLog(target) };
  const training = await startTraining({ scenario: 'train-good', speed: 10, replay });
  await vi.waitFor(async () => {
    const [played, beside] = [await training.runLog(), await training.targetLog()];
    expect(played.length).toBeGreaterThan(main.length / 4);
    expect(Math.abs(played.length / main.length - beside.length / target.length)).toBeLessThan(0.1);
  }, patience);
  await vi.waitFor(async () => expect(await training.exit()).toBe('3'), patience);
  expect(await training.runLog()).toBe(main);
  expect(await training.targetLog()).toBe(target);
  expect(await training.host.starts()).toEqual([]);
});

test('a replay that lives on ends with a stop, and the next scenario has the users’ script again', async () => {
  const replay = { log: await makeLog('hello\n'), exit: null };
  const training = await startTraining({ scenario: 'train-good', replay });
  await untilSaid(training.runLog, 'hello');
  expect(await training.exit()).toBe('');
  const player = (await processesOf(training.host.folder)).find(({ command }) => /\/play$/.test(command));
  if (player === undefined) throw new Error('nothing plays');
  process.kill(player.pid, 'SIGTERM');
  await vi.waitFor(async () => expect(await training.exit()).toBe('143'), patience);
  await training.host.setScenario('train-good');
  expect(await read(join(training.host.home, 'dflash', 'train.sh'))).toContain('torchrun --standalone');
});
