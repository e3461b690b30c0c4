import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/log/events.ts';
import { judgements, readInPieces, readingOf } from '../support/log-reading.ts';

function read(lines: readonly string[]): LogEvent[] {
  return readInPieces(new TextEncoder().encode(`${lines.join('\n')}\n`), 'train');
}

function told(lines: readonly string[]) {
  const { phases, facts, progress, record, doneLine } = readingOf(read(lines), 'train');
  return { phases, facts, progress, record, isDone: doneLine !== null };
}

describe("a trainer's own lines", () => {
  it.each([
    [
      'speculators 0.3, which has another word for a fresh run',
      [
        '[09:04:43] INFO     No previous checkpoint found. Starting from scratch.   trainer.py:84',
        '           INFO     Training epoch 1/3 started                    trainer.py:241',
        '           INFO     Training epoch 1/3 completed                  trainer.py:243',
      ],
      { phases: ['preparing', 'training'], progress: { done: 1, total: 3, unit: 'epoch' } },
    ],
    [
      "speculators' data preparation, which logs without rich",
      [
        '2026-08-12 09:00:00,123 - __main__ - INFO -   Loaded 5000 samples',
        '2026-08-12 09:00:09,500 - __main__ - INFO -   Done preparing data',
      ],
      { phases: ['preparing'] },
    ],
    [
      'SpecForge up to mid-2026, whose records are glued to its bar',
      [
        '03/21/2026 10:00:21 - INFO - specforge.utils - rank 3: Initialized distributed',
        '03/21/2026 10:00:55 - INFO - specforge.utils - Total training steps: 25332',
        '03/21/2026 10:01:08 - INFO - specforge.utils - Starting training from epoch 0, step 0',
        '\rTraining Epoch 0:  15%|█▌  | 650/4222 [06:43<36:54,  1.61it/s, loss=8.82, acc=0.04]03/21/2026 10:08:50 - INFO - specforge.utils - Train - Step 650 [650/25332?], Loss: 8.8261, Acc: 0.0465',
        '\rTraining Epoch 0:  15%|█▌  | 671/4222 [06:56<36:41,  1.61it/s, loss=8.7880, acc=0.0480]',
        '03/21/2026 10:30:50 - INFO - specforge.utils - Saved checkpoint to out/epoch_0_step_1000',
      ],
      {
        phases: ['preparing', 'training', 'checkpointing'],
        facts: { ranks: 4, total_steps: 25332, steps_per_epoch: 4222, checkpoint: 'out/epoch_0_step_1000' },
        record: { step: 650, loss: 8.8261, accuracy: 0.0465 },
      },
    ],
    [
      "SpecForge's EAGLE trainer, with its final checkpoint",
      [
        '03/21/2026 10:01:08 - INFO - specforge.utils - Starting training from epoch:0          step:0',
        '03/21/2026 11:01:08 - INFO - specforge.utils - Training completed at step 900, saving final checkpoint...',
        '03/21/2026 11:01:28 - INFO - specforge.utils - Saved full training state to out/epoch_1_step_900/training_state.pt',
        '03/21/2026 11:01:38 - INFO - specforge.utils - Saved model configuration to out/epoch_1_step_900',
      ],
      { phases: ['training', 'checkpointing'], facts: { checkpoint: 'out/epoch_1_step_900' } },
    ],
    [
      "SpecForge's unified runtime",
      ["step 50: {'loss': 5.1234, 'acc': 0.1234, 'grad_norm': 0.87, 'lr': 6e-05, 'perf/data_wait_time_s': 0.2}"],
      { phases: ['training'], facts: { lr: 6e-5 }, record: { step: 50, loss: 5.1234, accuracy: 0.1234 } },
    ],
    [
      'accelerate, which saves a state in several files',
      [
        '08/12/2026 09:00:00 - INFO - __main__ - ***** Running training *****',
        '08/12/2026 09:10:00 - INFO - accelerate.accelerator - Saving current state to out/checkpoint-500',
        '08/12/2026 09:10:03 - INFO - accelerate.checkpointing - Random states saved in out/checkpoint-500/random_states_0.pkl',
      ],
      { phases: ['training', 'checkpointing'], facts: { checkpoint: 'out/checkpoint-500' } },
    ],
    [
      "transformers' Trainer with its best model loaded at the end",
      [
        '[INFO|trainer.py:2409] 2026-08-12 09:00:00,123 >> ***** Running training *****',
        "{'loss': '0.8635', 'grad_norm': '1.2', 'learning_rate': '2e-05', 'epoch': '0.5'}",
        'Loading best model from out/checkpoint-240 (score: 1.2034).',
        'Training completed. Do not forget to share your model on huggingface.co/models =)',
      ],
      { facts: { best_checkpoint: 'out/checkpoint-240', lr: 2e-5 }, record: { loss: 0.8635 }, isDone: true },
    ],
    [
      "Unsloth, whose plan stands in one line beside its picture, and swift, whose loggers' heads hold a name",
      [
        '   \\\\   /|    Num examples = 12,000 | Num Epochs = 2 | Total steps = 1,500',
        "{'loss': 2.1, 'learning_rate': 2e-05, 'epoch': 0.5}",
        '[INFO:swift] Saving model checkpoint to out/v0/checkpoint-60',
        "{'loss': 2.0, 'learning_rate': 1e-05, 'epoch': 0.6}",
      ],
      {
        phases: ['training', 'checkpointing'],
        facts: { epochs: 2, total_steps: 1500, checkpoint: 'out/v0/checkpoint-60' },
      },
    ],
    [
      'axolotl, behind its own heads',
      [
        '[2026-08-12 09:00:00,123] [INFO] [axolotl.train.train:180] [PID:4711] [RANK:0] Starting trainer...',
        "{'loss': 1.2, 'learning_rate': 2e-05, 'epoch': 0.5}",
        '[2026-08-12 09:30:00,123] [INFO] [axolotl.train.train:200] [PID:4711] [RANK:0] Training completed! Saving trained model to ./out.',
      ],
      { isDone: true },
    ],
    [
      'Lightning',
      [
        'Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2/4',
        'Epoch 0:  12%|█▏  | 12/100 [00:01<00:10,  8.12it/s, v_num=0, train_loss_step=2.31]',
        "Epoch 0, global step 100: 'val_loss' reached 1.23400 (best 1.23400), saving model to '/w/epoch=0.ckpt' as top 1",
        "Epoch 1, global step 200: 'val_loss' was not in top 1",
        '`Trainer.fit` stopped: `max_epochs=2` reached.',
      ],
      {
        phases: ['preparing', 'training', 'checkpointing', 'finished'],
        facts: { ranks: 4, steps_per_epoch: 100, checkpoint: '/w/epoch=0.ckpt', best_val_loss: 1.234 },
      },
    ],
    [
      "DeepSpeed's launcher",
      [
        '[2026-05-01 10:00:00,123] [INFO] [launch.py:164:main] dist_world_size=8',
        '[2026-05-01 10:00:09,123] [INFO] [comm.py:683:init_distributed] Initializing TorchBackend in DeepSpeed with backend nccl',
      ],
      { phases: ['preparing'], facts: { ranks: 8 } },
    ],
    [
      'torchrun of torch 2.1, and Megatron',
      [
        '[2026-02-06 18:20:11,402] torch.distributed.run: [WARNING] Setting OMP_NUM_THREADS environment variable for each process',
        ' iteration      100/     500 | consumed samples:        12800 | elapsed time per iteration (ms): 1234.5 | lm loss: 8.12E+00 |',
        '  successfully saved checkpoint from iteration     100 to /ck/meg [ t 1/1, p 1/1 ]',
        '[2026-02-06 19:03:34,513] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: -6) local_rank: 0 (pid: 7712) of binary: /opt/python',
      ],
      {
        phases: ['training', 'checkpointing'],
        facts: { checkpoint: '/ck/meg', failed_rank: 0, exitcode_of_rank: -6 },
        record: { step: 100, loss: 8.12 },
      },
    ],
    [
      'a loop of its own with JSON records, whose epochs are told at the start',
      [
        '41,520 samples, 1297 steps/epoch, 2 epochs',
        '{"ts": "2026-01-22T14:10:00", "epoch": 0, "step": 25, "loss": 9.5, "acc": 0.013, "lr": 2.9e-04}',
        '{"ts": "2026-01-22T14:10:31", "epoch": 1, "step": 1300, "loss": 7.5, "acc": 0.13, "lr": 1.9e-04}',
      ],
      {
        facts: { steps_per_epoch: 1297, epochs: 2, lr: 1.9e-4 },
        progress: { done: 1, total: 2, unit: 'epoch' },
        record: { step: 1300, accuracy: 0.13 },
      },
    ],
    [
      'all ranks, behind what torchrun --tee puts before them',
      [
        '[default0]:08:01:00 [rank 0] epoch 2/3 starts, 950 steps',
        '[default0]:08:02:13 [rank 0] epoch=1 step=1045 loss=6.100 acc=0.114 lr=9.67e-05',
        '[default0]:08:09:40 [rank 0] saved /data/run9/epoch_1.pt (no exception, 3.1 GB)',
        '[rank0]: epoch=1 step=1140 loss=6.000 acc=0.118 lr=9.33e-05',
      ],
      {
        phases: ['training', 'checkpointing'],
        facts: { epochs: 3, steps_per_epoch: 950, checkpoint: '/data/run9/epoch_1.pt' },
        record: { step: 1140 },
      },
    ],
    [
      'weights that the trainer fetches itself',
      [
        '\rmodel-00002-of-00008.safetensors:  11%|█  | 430M/3.96G [00:09<01:10, 50.0MB/s]Error while downloading from x',
      ],
      { phases: ['preparing'], facts: { download_bytes_done: 430_000_000, download_bytes_total: 3_960_000_000 } },
    ],
  ])('are read: %s', (_, lines, right) => {
    expect(told(lines)).toMatchObject(right);
  });

  it('that are started again by torchrun are no other start', () => {
    const events = read([
      '[10:00:00] INFO     Started distributed with local_rank=0, dp_size=4, sp_size=1     distributed.py:163',
      '           INFO     train/loss=7.1, train/full_acc=0.1, epoch=0, lr=2.5e-04, global_step=20     trainer.py:498',
      'W0915 04:13:01.640000 1200 torch/distributed/elastic/multiprocessing/api.py:908] Sending process 1240 closing signal SIGTERM',
      '[10:03:00] INFO     Started distributed with local_rank=0, dp_size=4, sp_size=1     distributed.py:163',
      "           INFO     No previous training checkpoint found in 'out'. Starting fresh training run.     trainer.py:223",
      '',
    ]);
    expect(events.filter(({ kind }) => kind === 'start')).toEqual([]);
  });

  it('say nothing by a request that a generator repeats', () => {
    const events = read([
      '[10:00:00] INFO     EAGLE Offline Data Generation     data_generation_offline.py:405',
      '           WARNING  Request aborted (attempt 1/4): Connection error.. Retrying in 2s...     vllm_client.py:47',
      '',
    ]);
    expect(events.filter(({ kind }) => kind === 'trouble')).toEqual([]);
  });
});

describe("a run script's words of its target", () => {
  it('may leave out its name once it was named', () => {
    const script = [
      'Step 1 of 2: target',
      'launched (pid 3391, log /tmp/target.log)',
      'not ready after 10s',
      'ready (38s)',
    ];
    const dated = script.map((line) => `Mar 11 09:30:38 ${line}`);
    for (const lines of [script, dated]) {
      expect(told(lines)).toMatchObject({
        phases: ['target_starting', 'target_ready'],
        facts: { target_pid: 3391, waited_seconds: 10, target_ready_seconds: 38 },
      });
    }
    expect(told(script.slice(1)).phases).toEqual([]);
  });

  it.each([
    ['✔ target ready in 88 s (no errors, pid 7345)', { target_ready_seconds: 88, target_pid: 7345 }],
    ['target: http://localhost:8000/v1 ok', {}],
    ['target: already running since yesterday (pid 19), ready', { target_pid: 19 }],
    ['[1] target on 0-3: ready already, pid 88', { target_pid: 88 }],
    ['job: target at http://10.20.0.7:8000/v1 says OK, model /m', {}],
  ])('tell that it is up: %s', (line, facts) => {
    expect(told([line])).toMatchObject({ phases: ['target_ready'], facts });
  });

  it.each(['[1/3] target up?', 'Step 1 of 3: target (ready in about two minutes)', 'target: when ready, go on'])(
    'tell no readiness: %s',
    (line) => {
      expect(told([line]).phases).not.toContain('target_ready');
    },
  );

  it('are no words of it in what set -x prints, behind a time as well', () => {
    expect(told(['[21:40:12] + echo "vLLM server ready."', '+ curl -sf http://localhost:8000/health']).phases).toEqual(
      [],
    );
  });

  it('tell its launch where set -x prints the command', () => {
    expect(told(['[21:40:12] + nohup vllm serve /m --port 8000']).phases).toEqual(['target_starting']);
  });

  it('tell its launch by the command', () => {
    expect(told(['[serve] CUDA_VISIBLE_DEVICES=0,1 python launch_vllm.py /m -- -tp 2 &   (pid 20117)'])).toMatchObject({
      phases: ['target_starting'],
      facts: { target_pid: 20117 },
    });
  });

  it('before another start in the same file belong to that one', () => {
    const run = [
      'target: http://localhost:8000/v1 ok',
      '[10:00:00] INFO     Started distributed with local_rank=0, dp_size=2, sp_size=1     distributed.py:163',
      "           INFO     No previous training checkpoint found in 'out'. Starting fresh training run.     trainer.py:223",
      '           INFO     train/loss=7.1, train/full_acc=0.1, epoch=0, lr=2.5e-04, global_step=20     trainer.py:498',
      '',
    ];
    expect(told([...run, ...run]).phases).toEqual(['target_ready', 'preparing', 'training']);
    expect(read([...run, ...run]).filter(({ kind }) => kind === 'start')).toHaveLength(1);
  });
});

describe('a training that is judged', () => {
  it('holds no number that is none', () => {
    const events = read([`  6%|▋  | ${'9'.repeat(400)}/${'9'.repeat(400)} [00:00<00:48,  1.53it/s]`]);
    expect(judgements(events, 'train').every(({ progress }) => progress === null)).toBe(true);
  });
});
