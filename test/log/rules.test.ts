import { describe, expect, it } from 'vitest';
import { openLogReader } from '../../src/log/reader.ts';
import { FAILURE_RULES } from '../../src/log/rules/failures.ts';
import { findRule, RULES } from '../../src/log/rules/table.ts';
import { findTraining, TRAINING_RULES } from '../../src/log/rules/training-table.ts';

describe('the rules', () => {
  it.each(RULES.map((rule) => [rule.sample, rule] as const))('know %j by its own row', (sample, rule) => {
    const found = findRule(sample);
    expect(found?.rule).toBe(rule);
    expect(found?.findings.length).toBeGreaterThan(0);
  });

  it.each(TRAINING_RULES.map((rule) => [rule.sample, rule] as const))(
    'know %j of a training by its own row',
    (sample, rule) => {
      const places = rule.only === undefined ? (['record', 'line'] as const) : [rule.only];
      for (const place of places) {
        const found = findTraining(sample, place);
        expect([place, found?.rule.sample]).toEqual([place, sample]);
        expect(found?.findings.length).toBeGreaterThan(0);
      }
      if (rule.isPrompt === true) expect(findTraining(sample, 'prompt')?.rule).toBe(rule);
    },
  );

  it.each([
    '+ echo "vLLM server ready."',
    'waiting until the target is ready',
    'Waiting for vLLM server to be ready on 127.0.0.1:8000 (limit 900s)',
    'if vLLM is not ready after 600s this script gives up',
    'once the server is up, training begins',
  ])('take %j for no readiness of the target', (line) => {
    const found = findTraining(line, 'line')?.findings ?? [];
    expect(found).not.toContainEqual({ kind: 'phase', phase: 'target_ready' });
    expect(found).not.toContainEqual({ kind: 'sign', sign: 'fails' });
  });

  it.each([
    'vLLM server ready.',
    'target is up: vLLM ready after 201s (pid 40112)',
    'target answers',
    'Server is ready',
  ])('take %j for the readiness of the target', (line) => {
    expect(findTraining(line, 'line')?.findings).toContainEqual({ kind: 'phase', phase: 'target_ready' });
  });

  it.each([
    'vLLM is up (pid 4, 140s)',
    'target answered after 140s',
    'vLLM server ready after 2m20s',
    'http://localhost:8000/health is up after 140s',
  ])('know from %j how long the target took', (line) => {
    const found = findTraining(line, 'line')?.findings;
    expect(found).toContainEqual({ kind: 'fact', key: 'target_ready_seconds', value: 140 });
  });

  it.each([
    'Waiting for vLLM server up to 900s',
    'Waiting for vLLM server to be ready (timeout 900s)',
    'Waiting for vLLM on port 8000',
  ])('take the number in %j for no time that was waited', (line) => {
    const found = findTraining(line, 'line')?.findings ?? [];
    expect(found.map(({ kind }) => kind)).toEqual(['sign', 'phase']);
  });

  it.each(['vLLM launched with PID 20417', 'vllm serve started, PID=20417'])(
    "know the target's pid from %j",
    (line) => {
      const found = findTraining(line, 'line')?.findings;
      expect(found).toContainEqual({ kind: 'fact', key: 'target_pid', value: 20417 });
    },
  );

  it.each(['target process 20417 is gone', 'target pid 20417 no longer running', 'vLLM not ready within limit'])(
    'take %j for the end of the target',
    (line) => {
      const found = findTraining(line, 'line')?.findings;
      expect(found).toEqual([{ kind: 'sign', sign: 'gives up unless asked' }]);
    },
  );

  it.each([
    ['vLLM failed to become ready after 300 seconds. Exiting.', 300],
    ['Error: server at http://localhost:8000 not healthy after 1200s', 1200],
    ['Server did not respond within 600s; aborting', 600],
    ['FATAL: timed out waiting for http://127.0.0.1:8000/health after 600s', 600],
    ['Server not ready after 10 minutes, aborting.', 600],
  ])('take %j for the end of the wait', (line, seconds) => {
    const found = findTraining(line, 'line')?.findings;
    expect(found).toEqual([
      { kind: 'waited', seconds },
      { kind: 'sign', sign: 'gives up' },
    ]);
  });

  it.each([
    [
      'vLLM server not ready after 30s, retrying...',
      [
        { kind: 'phase', phase: 'target_starting' },
        { kind: 'waited', seconds: 30 },
      ],
    ],
    [
      'Waiting for vLLM (60/600s)',
      [
        { kind: 'phase', phase: 'target_starting' },
        { kind: 'waited', seconds: 60 },
      ],
    ],
    [
      'Waiting for vLLM server... 60s/600s',
      [
        { kind: 'phase', phase: 'target_starting' },
        { kind: 'waited', seconds: 60 },
      ],
    ],
    ['# vLLM server exited with code 1', []],
    ['the previous vLLM server died', []],
    ['Waiting for vLLM server to exit...', []],
    ['Step 1: Preparing data: 26s', [{ kind: 'phase', phase: 'preparing' }]],
    ['Step 1 done', []],
  ])('take %j for no end and no beginning', (line, findings) => {
    expect(findTraining(line, 'line')?.findings ?? []).toEqual(findings);
  });

  it.each([
    ['Epoch 1/3, Step 120/400, Loss: 2.345', { step: 120, epoch: 1 }],
    ['epoch: 1, step: 120, loss: 2.345, lr: 0.0001', { step: 120, epoch: 1 }],
    ['step 120: train loss 2.3450, val loss 2.5', { step: 120, epoch: null }],
    ['iter 120: loss 2.3450, time 130.1ms', { step: 120, epoch: null }],
    ['global_step=120, train_loss=2.345', { step: 120, epoch: null }],
    ['Step 120: loss = 2.345', { step: 120, epoch: null }],
    ['Train Epoch: 1 [120/400 (30%)]\tLoss: 2.345', { step: null, epoch: 1 }],
  ])('know %j for a step', (line, record) => {
    const found = findTraining(line, 'line')?.findings ?? [];
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'metrics',
        metrics: expect.objectContaining({ record: expect.objectContaining({ loss: 2.345, ...record }) }),
      }),
    );
  });

  it.each([
    'Loaded checkpoint (epoch 3, step 120, loss 2.1)',
    'Resuming from epoch 3, loss: 2.1',
    'Step 3 loss information is logged to wandb',
    'Step 2: choose loss=kl_div',
    'validation step 3: val loss 2.3',
    'Early stopping at step 100, loss 2.3',
  ])('take %j for no step', (line) => {
    expect(findTraining(line, 'line')?.findings.filter(({ kind }) => kind === 'metrics') ?? []).toEqual([]);
  });

  it.each(FAILURE_RULES.map(({ sample, shapes }) => [sample, shapes?.[0]] as const))(
    'know %j for a failure',
    (sample, shape) => {
      const head =
        shape === 'plain'
          ? ''
          : shape === 'torch'
            ? '[rank1]:[E1108 17:36:12.700918244 ProcessGroupNCCL.cpp:2068] '
            : 'ERROR:    ';
      const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
      const { events } = reader.feed(new TextEncoder().encode(`${head}${sample}\n`));
      expect(events).toMatchObject([{ kind: 'trouble', trouble: { line: 1, type: null, message: sample.trim() } }]);
    },
  );

  it('count the finished files of a download, each once', () => {
    const bar = (n: number, percent: number) =>
      `\rmodel-0000${n}-of-00004.safetensors: ${percent}%|██| 1G/4G [00:01<00:01, 9MB/s]`;
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    const { events } = reader.feed(
      new TextEncoder().encode(`${bar(1, 40)}${bar(2, 100)}${bar(2, 100)}${bar(1, 100)}\n`),
    );
    const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress.done] : []));
    expect(progress).toEqual([0, 1, 1, 2]);
  });

  it('count them anew behind each restart, in this log and the next', () => {
    const file = (n: number) => `model-0000${n}-of-00004.safetensors: 100%|██| 4G/4G [00:01<00:00, 9MB/s]\n`;
    const log = `Started vllm.service - vLLM.\n${file(1)}Started vllm.service - vLLM.\n${file(2)}`;
    for (let round = 0; round < 2; round += 1) {
      const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
      const { events } = reader.feed(new TextEncoder().encode(log));
      expect(events.flatMap((event) => (event.kind === 'progress' ? [event.progress.done] : []))).toEqual([1, 1]);
    }
  });
});
