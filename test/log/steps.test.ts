import { describe, expect, it } from 'vitest';
import { judgements, readInPieces, readingOf } from '../support/log-reading.ts';

function read(lines: readonly string[]) {
  return readInPieces(new TextEncoder().encode(`${lines.join('\n')}\n`), 'train');
}

function told(...lines: readonly string[]) {
  return readingOf(read(lines), 'train');
}

describe('a step of a loop of its own', () => {
  it.each([
    ['Epoch [1/3], Step [100/400], Loss: 2.34', { step: 100, epoch: 1 }, { epochs: 3, steps_per_epoch: 400 }],
    ['epoch 1/3 step 100/400 loss=2.34 lr=1e-4', { step: 100, epoch: 1 }, { epochs: 3, lr: 1e-4 }],
    ['[step 100] loss: 2.34', { step: 100 }, {}],
    ['INFO:train:step=100 loss=2.34 lr=1e-4', { step: 100 }, { lr: 1e-4 }],
    [
      '2026-01-01 10:00:00,123 [INFO] train: [Epoch 2/3] [Step 30/400] loss 2.34 acc 0.3',
      { step: 30, accuracy: 0.3 },
      {},
    ],
    ['2026-01-01 10:00:00 | INFO | step 100/1200 | loss 2.34 | lr 3e-4', { step: 100 }, { total_steps: 1200 }],
    ['[rank0]: step 100 loss 2.34', { step: 100 }, {}],
    ['Epoch: [0]  [ 20/312]  eta: 0:10:20  lr: 0.0001  loss: 2.34 (7.0)', { step: 20 }, { steps_per_epoch: 312 }],
    ['Epoch 2: train_loss=2.34, val_loss=4.5, time 30s', { epoch: 2 }, { val_loss: 4.5 }],
    ['{"step": 100, "train_loss": 2.34, "lr": 1e-4, "epoch": 0}', { step: 100, epoch: 0 }, { lr: 1e-4 }],
    ['{"global_step": 100, "train/loss": 2.34, "train/lr": 1e-4}', { step: 100 }, { lr: 1e-4 }],
    ['epoch=2 step=1510/9240 loss=2.34 | elapsed=0.5min', { step: 1510, epoch: 2 }, { total_steps: 9240 }],
    [
      '[2026-07-22 01:54:22,220][a.base_trainer][WARNING] - [loss] step=1 lr=9e-05 loss=2.34 vloss=0.0',
      { step: 1 },
      {},
    ],
    ['[1/3][10/400] loss 2.34', { step: 10, epoch: 1 }, { epochs: 3, steps_per_epoch: 400 }],
    ['[1/3] [10/400] loss 2.34', { step: 10, epoch: 1 }, { epochs: 3, steps_per_epoch: 400 }],
    ['{"event": "train", "step": 50, "loss": 2.34}', { step: 50 }, {}],
    ['{"loss": 2.34, "step": 50, "lr": 1e-4, "event": "train step", "level": "info"}', { step: 50 }, { lr: 1e-4 }],
    ['train | iter 10 | loss 2.34', { step: 10 }, {}],
    ['test-1  | iter 10 | loss 2.34', { step: 10 }, {}],
    ['steps: 135 loss: 2.34 iter time (s): 2.270 samples/sec: 7.600', { step: 135 }, {}],
    ['[rank0]:[titan] 2025-09-02 11:05:25,034 - root - INFO - step:  1  loss:  2.34  tps: 6,991', { step: 1 }, {}],
  ])('is read: %s', (line, record, facts) => {
    expect(told(line)).toMatchObject({ record: { loss: 2.34, ...record }, facts, phases: ['training'] });
  });

  it.each([
    '[eval] step 100: loss 2.3',
    'Validation: epoch 1, step 100, loss 2.3',
    'ValueError: loss nan at step 5',
    'loss 2.3',
    '[1/3][10/400] shard loaded',
    '{"event": "saved a checkpoint at step 50", "loss": 2.3}',
    '{"event": "train", "level": "error", "step": 50, "loss": 2.3}',
  ])('is none: %s', (line) => {
    expect(told(line).record).toBeNull();
  });

  it.each([
    'eval | iter 10 | loss 1.9',
    'val   | step 10 | val_loss 1.9',
    '{"event": "eval", "step": 50, "loss": 1.9}',
    '{"split": "valid", "loss": 1.9}',
    '{"step": 51, "event": "eval_end", "eval_loss": 1.9}',
  ])("is an evaluation's: %s", (line) => {
    expect(told(line)).toMatchObject({ record: null, facts: { val_loss: 1.9 } });
  });

  it('whose loss is no number is told by JSON as well, though that has no word for it', () => {
    const { record, troubles } = told('{"event": "train", "step": 50, "loss": NaN}');
    expect(record).toMatchObject({ step: 50, loss: 'nan' });
    expect(troubles).toHaveLength(1);
  });

  it.each([
    ['training for 400 steps', 400],
    ['Starting training for 1,200 optimizer steps...', 1200],
  ])('counts by what a loop says it will do: %s', (line, total) => {
    expect(told(line, 'steps: 135 loss: 4.3').progress).toMatchObject({ done: 135, total });
  });

  it.each(['trained for 400 steps', 'training for 400 samples', 'Resuming training for 400 steps'])(
    'counts by nothing else: %s',
    (line) => {
      expect(told(line, 'steps: 135 loss: 4.3').progress).toBeNull();
    },
  );

  it('counts by what was told of all steps', () => {
    expect(
      told('Trainer is initialized with sequence length 4096, total steps 300 (warmup 30).', 'step: 10  loss: 7.2')
        .progress,
    ).toEqual({
      phase: 'training',
      done: 10,
      total: 300,
      unit: 'step',
    });
  });
});

describe('a bar', () => {
  it.each([
    ['Epoch 4:  37%|█  | 148/400 [01:02<01:45,  2.38it/s, loss=2.6]', { done: 148, total: 400, unit: 'step' }],
    ['Epoch 2/3:  10%|█  | 40/400 [00:40<06:00,  1.00it/s]', { done: 1, total: 3, unit: 'epoch' }],
    ['Training:  62%|█  | 400/640 [02:16<01:21,  2.94step/s, loss=5.0]', { done: 400, total: 640, unit: 'step' }],
    ['Distilling:  20%|██  | 640/3200 [01:11<04:44,  9.00sample/s]', { phase: 'preparing', done: 640, total: 3200 }],
    [
      'Generating responses:  36%|███ | 7300/20000 [19:37<34:08,  6.20sample/s, ok=7295, errors=5]',
      { phase: 'preparing', done: 7300 },
    ],
  ])('is how far it is: %s', (line, progress) => {
    expect(told(`\r${line}`).progress).toMatchObject(progress);
  });

  it('is cut off from what stands behind it without a newline', () => {
    const { record, facts } = told(
      '\rTraining:  62%|█  | 399/640 [02:15<01:21,  2.94step/s, loss=4.4]2026-05-27 11:09:10 | INFO | __main__ | epoch=0 step=399 train_loss=4.401',
      '\r  1%|  | 100/9375 [06:30<10:02:52,  3.90s/it][INFO|trainer.py:3503] 2024-08-12 03:07:01,882 >> Saving model checkpoint to out/checkpoint-100',
      'step 401 loss 4.3',
    );
    expect(record).toMatchObject({ step: 401 });
    expect(facts).toMatchObject({ epoch: 0, checkpoint: 'out/checkpoint-100' });
  });
});

describe('a checkpoint', () => {
  it.each([
    ['Saved checkpoint: /ck/step_400.pt', '/ck/step_400.pt'],
    ['Checkpoint saved -> /ck/step_400.pt', '/ck/step_400.pt'],
    ['checkpoint written to /ck/step_400 (3.1 GB)', '/ck/step_400'],
    ['Model saved at /ck/final', '/ck/final'],
    ['2026-08-14 10:48:07 Saved checkpoint to /ckpt/r2/step_2000', '/ckpt/r2/step_2000'],
  ])('is where the line says: %s', (line, path) => {
    expect(told(line)).toMatchObject({ phases: ['checkpointing'], facts: { checkpoint: path } });
  });

  it('that is being saved is whole once a step follows', () => {
    expect(told('Saving checkpoint to ck/step_200').facts).toEqual({});
    expect(told('Saving checkpoint to ck/step_200', 'step 201 loss 1.1').facts.checkpoint).toBe('ck/step_200');
  });

  it.each([
    'tokenizer config file saved in out/checkpoint-100/tokenizer_config.json',
    'Saved 4998 new data points to ./output/hidden_states',
    'Saved plots to out/step_400.png',
    'Saving the dataset to out/data',
  ])('is none of it: %s', (line) => {
    expect(told(line).facts).not.toHaveProperty('checkpoint');
  });
});

describe('a set-up', () => {
  it.each([
    [
      '[INFO|2025-11-20 20:11:02] llamafactory.hparams.parser:406 >> Process rank: 1, world size: 2, device: cuda:1',
      { ranks: 2 },
    ],
    ['using world size: 4, data-parallel size: 2, tensor-model-parallel size: 2', { ranks: 4 }],
    ['> initializing torch distributed with 2 workers.', { ranks: 2 }],
    ['INFO:torchtune.utils._logging:Distributed training is enabled. Instantiating model on Rank 0 ...', {}],
    ['Resumed from /ckpt/dflash/step_1500: next_micro_step=6000, epoch=2', { resumed_from: '/ckpt/dflash/step_1500' }],
    ['GPU available: True (cuda), used: True', {}],
    ['pairs: 2048 written, 0 failed', {}],
  ])('is read: %s', (line, facts) => {
    expect(told(line)).toMatchObject({ phases: ['preparing'], facts });
  });

  it('is none behind the first step', () => {
    expect(told('step 1 loss 2.3', 'trainable params: 20 || all params: 30').phases).toEqual(['training']);
  });

  it.each(['epochs: 3', '    "num_train_epochs": 3,', '│       max_epochs: 3', 'Num train epochs = 3'])(
    'tells the epochs: %s',
    (line) => {
      expect(told(line)).toMatchObject({ phases: [], facts: { epochs: 3 } });
    },
  );
});

describe('ranks that torchrun starts again', () => {
  const lines = [
    '[10:00:00] INFO     train/loss=7.1, train/full_acc=0.1, epoch=0, lr=2.5e-04, global_step=20     trainer.py:498',
    '[rank2]: Traceback (most recent call last):',
    '[rank2]:   File "/x/train.py", line 683, in main',
    '[rank2]: torch.AcceleratorError: CUDA error: unspecified launch failure',
    '[10:01:01] WARNING  Received SIGTERM — interrupting training to save checkpoint. Send again to exit.     a.py:90',
    'E0915 04:13:31.510000 1200 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: 1) local_rank: 2 (pid: 1242) of binary: /x/python',
    '[10:02:00] INFO     Started distributed with local_rank=0, dp_size=4, sp_size=1     distributed.py:163',
  ];
  const step =
    '[10:03:00] INFO     train/loss=6.1, train/full_acc=0.1, epoch=0, lr=2.5e-04, global_step=30     t.py:498';

  it('have lived through the failure once they make a step', () => {
    const last = (more: readonly string[]) => judgements(read([...lines, ...more, '']), 'train');
    expect(last([]).some(({ cause }) => cause?.line === 4)).toBe(true);
    const { troubles, shutdownLine } = told(...lines, step, '');
    expect({ troubles, shutdownLine }).toEqual({ troubles: [], shutdownLine: null });
  });
});
