import { describe, expect, it } from 'vitest';
import { readInPieces, readingOf } from '../support/log-reading.ts';

function told(...lines: readonly string[]) {
  return readingOf(readInPieces(new TextEncoder().encode(`${lines.join('\n')}\n`), 'train'), 'train');
}

describe('what a loop says before its first step', () => {
  it.each([
    ['640 rows, 20 batches an epoch, 4 epochs', { steps_per_epoch: 20, epochs: 4 }],
    ['640 examples, 20 steps per epoch, 7 epochs, 140 steps', { steps_per_epoch: 20, epochs: 7, total_steps: 140 }],
    ['epochs: 3, steps per epoch: 924, total steps: 2772', { steps_per_epoch: 924, epochs: 3, total_steps: 2772 }],
    ['3 epochs x 400 steps = 1200 steps', { steps_per_epoch: 400, epochs: 3, total_steps: 1200 }],
    ['training for 4 epochs (20 steps each)', { steps_per_epoch: 20, epochs: 4 }],
    ['41,520 samples, 1,297 steps/epoch, 2 epochs (stops when the loss is nan)', { steps_per_epoch: 1297, epochs: 2 }],
    ['DDP: 4 ranks, 400 steps per epoch, 3 epochs', { ranks: 4, steps_per_epoch: 400, epochs: 3 }],
    ['rank 0 in world size 2: joined, backend gloo', { ranks: 2 }],
    ['[rank 1] process group ready, world_size=2 rank=1', { ranks: 2 }],
    ['rank 2/4 joined (nccl)', { ranks: 4 }],
    ['Using 4 GPUs, DDP', { ranks: 4 }],
  ])('is its plan: %s', (line, facts) => {
    expect(told(line).facts).toMatchObject(facts);
  });

  it.each(['checkpoint every 2 epochs, keep 3', 'early stopping patience 3 epochs', 'resumed, 2 epochs left'])(
    'is none: %s',
    (line) => {
      expect(told(line).facts).toEqual({});
    },
  );

  it('tells whether a bar without a number counts the run or an epoch', () => {
    const bar = '\rtrain:   6%|▋         | 5/80 [00:00<00:10,  7.24it/s]';
    expect(told('20 batches an epoch, 4 epochs', bar).facts).toMatchObject({ total_steps: 80, steps_per_epoch: 20 });
    expect(told('80 batches an epoch, 4 epochs', bar).facts).not.toHaveProperty('total_steps');
  });
});

describe('a record and what stands beside it', () => {
  it('holds the last step, however far the bar is', () => {
    const { facts, progress } = told('step 5 | epoch 0 | loss 2.0', '\rtrain:  10%|█  | 8/80 [00:01<00:09,  7.73it/s]');
    expect([facts.step, progress?.done]).toEqual([5, 8]);
  });

  it.each([
    'validation | epoch 0 | val_loss 1.93 | no errors',
    'epoch=0 val_loss=1.93 best=yes',
    'validation loss: 1.93',
    'val: loss 1.93 acc 0.4',
    '[eval 5/140] loss: 1.93',
    '{"step": 50, "val_loss": 1.93}',
    'epoch 1 done, validation: loss 1.93',
    'Epoche 1 fertig, Validierung: loss 1.93',
  ])('is followed by an evaluation: %s', (line) => {
    expect(told('step 5 loss 2.0', line).facts).toMatchObject({ loss: 2, val_loss: 1.93 });
  });

  it.each([
    'best val_loss 1.90 at epoch 2',
    'Restored val_loss=4.1 from checkpoint',
    'Validation loss improved from 2.0',
  ])('is not followed by one: %s', (line) => {
    expect(told('step 5 loss 2.0', line).facts).not.toHaveProperty('val_loss');
  });

  it('may hold how many steps there are in all', () => {
    expect(told('{"node": 1, "step": 300, "max_steps": 4000, "loss": 3.36, "lr": 1.90e-04, "ok": true}')).toMatchObject(
      {
        progress: { phase: 'training', done: 300, total: 4000, unit: 'step' },
        facts: { total_steps: 4000, lr: 0.00019 },
      },
    );
  });

  it("is told by the trainer's own guard where its loss was none", () => {
    const lines = [
      'step 10 loss 2.1',
      '[rank1]: Traceback (most recent call last):',
      '[rank1]:     raise Diverged("x")',
    ];
    expect(told(...lines, '[rank1]: Diverged: rank 1: loss is nan at step 13').facts.first_nan_step).toBe(13);
  });
});

describe('a checkpoint', () => {
  it.each([
    ['saved runs/x/epoch_0.pt', 'runs/x/epoch_0.pt'],
    ['2026-02-20 21:25:15,175 INFO drafter: checkpoint written: runs/x/epoch_0.pt', 'runs/x/epoch_0.pt'],
    ['wrote checkpoint runs/x/step-10.ckpt (1.2 GB)', 'runs/x/step-10.ckpt'],
    ['saving checkpoint -> runs/x/epoch_1.pt ... ok', 'runs/x/epoch_1.pt'],
    ['new best val_loss 1.90, saved runs/a/best.pt', 'runs/a/best.pt'],
    ['checkpoint saved: step_10.pt', 'step_10.pt'],
    ['Saved best checkpoint (val_loss 1.9) to out/best', 'out/best'],
    ['Modell gespeichert: runs/x/epoch_0.pt', 'runs/x/epoch_0.pt'],
    ['模型已保存到 /data/x/step_400', '/data/x/step_400'],
  ])('is whole: %s', (line, checkpoint) => {
    expect(told('step 10 loss 2.0', line)).toMatchObject({
      facts: { checkpoint },
      phases: ['training', 'checkpointing'],
    });
  });

  it.each(['saved config to out/config.json', 'saving runs/x/epoch_1.pt', 'saved tokenizer to out/tok'])(
    'is none yet: %s',
    (line) => {
      expect(told('step 10 loss 2.0', line).facts).not.toHaveProperty('checkpoint');
    },
  );

  it.each([
    'Resume: runs/x/epoch_0.pt',
    'resume checkpoint: runs/x/epoch_0.pt, best val_loss 1.93',
    'loaded checkpoint runs/x/epoch_0.pt, starting at epoch 1',
    'Resuming from runs/x/epoch_0.pt (epoch 1, step 20)',
  ])('is what a run goes on from: %s', (line) => {
    expect(told(line).facts).toEqual({ resumed_from: 'runs/x/epoch_0.pt' });
  });

  it("is read behind the blanks that wipe out a bar's line", () => {
    const saving = '[INFO|trainer.py:4019] 2026-10-02 21:28:53,134 >> Saving model checkpoint to out/checkpoint-20';
    const next = "{'loss': 4.0, 'epoch': 0.1}";
    expect(told("{'loss': 4.1, 'epoch': 0.1}", `\r${' '.repeat(46)}${saving}`, next).facts.checkpoint).toBe(
      'out/checkpoint-20',
    );
  });
});

describe('a traceback', () => {
  const raised = (exception: string) => [
    'Traceback (most recent call last):',
    '  File "x.py", line 3, in main',
    '    setup(world_size=2, epochs=4, total_steps=100)',
    exception,
  ];

  it.each([
    ['RuntimeError: expected world size 4, got world_size=2', 'RuntimeError'],
    ['TimeoutError: target server not ready after 30 s, giving up', 'TimeoutError'],
    ['launcher.TargetDied: pid 77 has ended before it was ready', 'launcher.TargetDied'],
  ])('is no word on the training: %s', (exception, type) => {
    const { facts, troubles } = told(...raised(exception));
    expect(facts).toEqual({});
    expect(troubles).toMatchObject([{ type, traceback: { first: 1, last: 4 } }]);
  });

  it('ends with its exception: what follows counts', () => {
    expect(told(...raised('KeyError: 1'), 'step 10 loss 2.0').facts.step).toBe(10);
    expect(told(...raised('x.DistBackendError: NCCL error, NCCL version 2.26.2')).facts).toEqual({ nccl: '2.26.2' });
  });

  it('is nothing that an exception without one can be mistaken by', () => {
    expect(told('ValueError: total steps 100, epochs: 4').facts).toEqual({});
  });
});
