import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from './connection.ts';
import { expectOrder, gpuUsers, patience, processesOf, startTraining, type Training, untilSaid } from './training.ts';

// Each test runs real processes; a busy machine is no failure.
vi.setConfig({ testTimeout: 60_000 });

const firstRecord = /train\/loss=[\s\S]*global_step=0/;
const wide = { COLUMNS: '1000', PYTHONUNBUFFERED: '1' };
const losses = (log: string) => [...log.matchAll(/train\/loss=(\S+),/g)].map(([, value]) => Number(value));

async function ended(training: Training): Promise<string> {
  await vi.waitFor(async () => expect(await training.exit()).not.toBe(''), patience);
  return training.runLog();
}

test('a good training says its milestones in their order, ends with 0 and leaves nobody behind', async () => {
  const training = await startTraining({ scenario: 'train-good', speed: 20 }, wide);
  await expectSessions(training);
  await expectWideRecords(training);
  const log = await ended(training);
  expect(await training.exit()).toBe('0');
  expectOrder(log, [
    /Step 1: start the target server/,
    /vLLM pid \d+\n/,
    /Waiting for vLLM server to be ready/,
    /vLLM ready after \d+ s\n/,
    /Step 2: train the drafter/,
    /^W\d{4} [\d:.]+ \d+ torch\/distributed\/run\.py:\d+\] \*+\n/m,
    /Started distributed with local_rank=/,
    /No vocab mappings found/,
    /Added <\|MASK\|> to tokenizer/,
    /\| speculators\.utils\.loading:_resolve_file:\d+ - Loading from /,
    /No previous training checkpoint found in/,
    /Muon optimizer: /,
    /Training epoch 1\/2 started/,
    /global_step=0 /,
    /global_step=19 /,
    /^Epoch 0 100% ━+ 20\/20 {2}\[/m,
    /Training epoch 1\/2 completed/,
    /Saving checkpoint to \S+\/checkpoints\/0 /,
    /Checkpoint saved to \S+\/checkpoints\/0 /,
    /Validation epoch 1\/2 started/,
    /^Epoch 0 100% ━+ 5\/5 {2}\[/m,
    /val\/loss_epoch=/,
    /Validation epoch 1\/2 completed/,
    /Updated checkpoint_best -> 0 /,
    /Training epoch 2\/2 started/,
    /Checkpoint saved to \S+\/checkpoints\/1 /,
    /Updated checkpoint_best -> 1 /,
    /Destroyed distributed process group/,
    /Destroyed distributed process group/,
    /Done\. Checkpoints saved to \S+\/checkpoints\n/,
    /Stopping vLLM server \(pid \d+\)\n$/,
  ]);
  expect(losses(log)).toHaveLength(40);
  expect(losses(log).at(-1)).toBeLessThan((losses(log)[0] ?? 0) / 3);
  expect(await training.targetLog()).toMatch(/"POST \/v1\/completions HTTP\/1\.1" 200 OK\n/);
  expect(await training.targetLog()).toMatch(/Finished server process \[\d+\]\n$/);
  expect(await processesOf(training.host.folder)).toEqual([]);
  expect(await gpuUsers(training.client)).toEqual([]);
  await expectCheckpoints(training);
  await expectNoDrafts(training);
});

/** Ranks have sessions of their own, data workers below them, on the cards that are left. */
async function expectSessions(training: Training): Promise<void> {
  await untilSaid(training.runLog, firstRecord);
  const all = await processesOf(training.host.folder);
  const torchrun = all.find(({ command }) => /\/torchrun /.test(command));
  const ranks = all.filter(({ command }) => command.startsWith('python ') && command.includes('scripts/train.py'));
  expect(ranks.map(({ parent }) => parent)).toEqual([torchrun?.pid, torchrun?.pid]);
  for (const { pid, group, session } of ranks) expect([group, session]).toEqual([pid, pid]);
  const workers = all.filter(({ parent }) => ranks.some(({ pid }) => pid === parent));
  expect(workers).toHaveLength(4);
  for (const worker of workers) expect(worker.session).toBe(worker.parent);
  expect(await gpuUsers(training.client)).toEqual([
    [0, expect.any(Number), 'VLLM::Worker_TP0'],
    [1, expect.any(Number), 'VLLM::Worker_TP1'],
    ...ranks.map(({ pid }, index) => [index + 2, pid, 'python']),
  ]);
  const used = await run(training.client, 'nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits');
  for (const mib of used.stdout.toString().trim().split('\n')) expect(Number(mib)).toBeGreaterThan(30_000);
}

/** A record is one padded line at 1000 columns; the variables stand in the ledger. */
async function expectWideRecords(training: Training): Promise<void> {
  const log = await untilSaid(training.runLog, /global_step=3 /);
  const records = log.split('\n').filter((line) => line.includes('global_step='));
  expect(new Set(records.map((line) => line.length))).toEqual(new Set([1000]));
  expect(records[0]).toMatch(
    /^[[ ][\d: ]{8}[\] ] INFO {5}train\/loss=12\.000, .*train\/position_7_acc=.*, epoch=0, lr\/Muon=0\.001, lr\/AdamW=\S+, global_step=0 +trainer\.py:498$/,
  );
  expect((await training.host.starts()).map(({ command, environment }) => [command, environment])).toEqual([
    ['vllm', { ...wide, CUDA_VISIBLE_DEVICES: '0,1' }],
    ['torchrun', { ...wide, CUDA_VISIBLE_DEVICES: '2,3' }],
  ]);
}

/** Laid out as the trainer does it. */
async function expectCheckpoints(training: Training): Promise<void> {
  const out = join(training.host.home, 'dflash', 'out');
  const save = join(out, (await readdir(out))[0] ?? '', 'checkpoints');
  const names = ['0', '1', 'checkpoint_best', 'epoch0_end', 'epoch1_end', 'run.yaml', 'train_command.txt'];
  expect((await readdir(save)).sort()).toEqual(names);
  expect((await lstat(join(save, 'checkpoint_best'))).isSymbolicLink()).toBe(true);
  expect(await readdir(join(save, 'checkpoint_best'))).toEqual(
    expect.arrayContaining(['config.json', 'model.safetensors', 'optimizer_state_dict.pt', 'val_metrics.json']),
  );
  expect(JSON.parse(await readFile(join(save, '1', 'training_state.json'), 'utf8'))).toMatchObject({ epoch: 1 });
}

/** The target loads no drafter and tells no acceptance. */
async function expectNoDrafts(training: Training): Promise<void> {
  const log = await training.targetLog();
  expect(log).toContain("SpeculativeConfig(method='extract_hidden_states', model=None, num_spec_tokens=1)");
  expect(log).toContain('Creating v1 connector with name: ExampleHiddenStatesConnector');
  expect(log).not.toMatch(/DFlashDraftModel|Loading drafter model|eagle_head/);
  expect(await training.targetLog()).not.toContain('SpecDecoding metrics');
}

test('a record is wrapped at 80 columns where nothing says otherwise', async () => {
  const training = await startTraining({ scenario: 'train-good' });
  const log = await untilSaid(training.runLog, firstRecord);
  const [record = ''] = /.*train\/loss=[\s\S]*?global_step=0 *\n/.exec(log) ?? [];
  const lines = record.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(7);
  expect(lines[0]).toMatch(/^.{20}train\/loss=12\.000, .* trainer\.py:498$/);
  expect(lines.slice(1).every((line) => line.startsWith(`${' '.repeat(20)}`) && line.length <= 80)).toBe(true);
  expect(log).toMatch(/^Epoch|^ {20}\S/m);
});

test('out of memory: the rank says why, the other one is interrupted and killed, torchrun names both, exit 1', async () => {
  const training = await startTraining({ scenario: 'train-oom' }, wide);
  const log = await ended(training);
  expect(await training.exit()).toBe('1');
  expectOrder(log, [
    /global_step=22 /,
    /^\[rank1\]: Traceback \(most recent call last\):\n/m,
    /^\[rank1\]: torch\.OutOfMemoryError: CUDA out of memory\./m,
    /Sending process \d+ closing signal SIGTERM\n/,
    /Received SIGTERM — interrupting training to save checkpoint/,
    /Training interrupted — attempting to save checkpoint/,
    /Unable to shutdown process \d+ via Signals\.SIGTERM/,
    /^E\d{4} .*failed \(exitcode: 1\) local_rank: 1 \(pid: \d+\) of binary:/m,
    /ChildFailedError: \n=+\nscripts\/train\.py FAILED\n/,
    /Failures:\n\[1\]:\n.*\n.*\n {2}rank {6}: 0 \(local_rank: 0\)\n {2}exitcode {2}: -9 /,
    /Root Cause \(first observed failure\):\n\[0\]:\n.*\n.*\n {2}rank {6}: 1 \(local_rank: 1\)\n {2}exitcode {2}: 1 /,
    /Stopping vLLM server \(pid \d+\)\n$/,
  ]);
  expect(log).not.toContain('global_step=23 ');
  expect(log).not.toContain('Done.');
  expect(await processesOf(training.host.folder)).toEqual([]);
});

test('a target that is killed says nothing; the trainer lives on, trains on nothing, and ends only when stopped', async () => {
  const training = await startTraining({ scenario: 'train-target-dies' }, wide);
  await untilSaid(training.runLog, /train\/loss=0\.00e\+00, train\/full_acc=0\.00e\+00, .*tokens_per_s=0\.00e\+00/);
  const log = await untilSaid(training.runLog, /train\/loss=0\.00e\+00,[\s\S]*train\/loss=0\.00e\+00,/);
  expectOrder(log, [
    /train\/loss=12\.000,/,
    /^Request aborted \(attempt 1\/4\): Connection error\.\. Retrying in 2s\.\.\.\n/m,
    /^Request aborted \(attempt 3\/4\): Connection error\.\. Retrying in 8s\.\.\.\n/m,
    /^Request timed out after 4 attempts: Connection error\.\n/m,
    /^\S+data\.py:\d+: UserWarning: Failed to load\/cache hidden states for sample \d+: Connection error\.\n/m,
    /profile\/fetch_ms=1\.[3-9]\de\+04,/,
  ]);
  expect(await training.targetLog()).not.toMatch(/Traceback|died|Shutting down|ERROR/);
  expect((await gpuUsers(training.client)).map(([, , name]) => name)).toEqual(['python', 'python']);
  expect(await training.exit()).toBe('');

  const [, torchrun] = await training.host.starts();
  await run(training.client, `kill -TERM ${torchrun?.pid}`);
  await ended(training);
  expect(await training.exit()).toBe('1');
});

test('TERM to every group of the tree: the ranks save and end, and so does all else', async () => {
  const training = await startTraining({ scenario: 'train-target-dies' }, wide);
  await untilSaid(training.runLog, /global_step=2 /);
  const groups = new Set((await processesOf(training.host.folder)).map(({ group }) => group));
  for (const group of groups) process.kill(-group, 'SIGTERM');
  const log = await vi.waitFor(async () => {
    expect(await processesOf(training.host.folder)).toEqual([]);
    return training.runLog();
  }, patience);
  expectOrder(log, [
    /Received SIGTERM — interrupting training to save checkpoint\. Send again to force immediate exit\./,
    /Training interrupted — attempting to save checkpoint/,
    /Saving checkpoint to \S+\/checkpoints\/interrupted /,
    /Interrupt checkpoint saved to '\S+\/checkpoints\/interrupted'/,
    /Destroyed distributed process group/,
    /SignalException: Process \d+ got signal: 15\n/,
  ]);
  // A shell with an EXIT trap doesn't wait for what it runs.
  expect(log).toMatch(/Stopping vLLM server \(pid \d+\)\n[\s\S]*SignalException/);
  expect(log.match(/Received SIGTERM/g)).toHaveLength(2);
  expect(await gpuUsers(training.client)).toEqual([]);
});

test('ranks whose torchrun is killed are orphans that train on, with no target any more', async () => {
  const training = await startTraining({ scenario: 'train-target-dies' }, wide);
  await untilSaid(training.runLog, /global_step=2 /);
  const [, torchrun] = await training.host.starts();
  await run(training.client, `kill -KILL ${torchrun?.pid}`);
  await ended(training);
  expect(await training.exit()).toBe('137');
  expect((await gpuUsers(training.client)).map(([, , name]) => name)).toEqual(['python', 'python']);
  const steps = async () => (await training.runLog()).match(/global_step=/g)?.length ?? 0;
  const before = await steps();
  await vi.waitFor(async () => expect(await steps()).toBeGreaterThan(before), patience);
});

test('the wait for a dead target is endless: only a signal ends it, and the trap speaks', async () => {
  const training = await startTraining({ scenario: 'oom' });
  await untilSaid(training.targetLog, 'Engine core initialization failed');
  await vi.waitFor(async () => {
    expect((await processesOf(training.host.folder)).map(({ command }) => command)).toContain('sleep 0.5');
  }, patience);
  expect(await training.exit()).toBe('');
  const script = (await processesOf(training.host.folder)).find(({ command }) => command === 'bash train.sh');
  await run(training.client, `kill -TERM ${script?.pid}`);
  expect(await ended(training)).toMatch(/Stopping vLLM server \(pid \d+\)\n/);
  expect(await training.exit()).toBe('143');
});
