/** What sgl-project/SpecForge prints (train_dflash.py and train_eagle3.py up to mid-2026, its unified runtime since). */

import { fact, phase } from './rule.ts';
import { NUMBER, recorded, steps } from './trainer-step.ts';
import { sign, type TrainingRule } from './training-rule.ts';

export const SPECFORGE_RULES: readonly TrainingRule[] = [
  {
    sample: 'rank 2: Initialized distributed environment',
    pattern: /^rank (\d+): Initialized distributed/,
    find: ([, rank = '0']) => [sign('sets up'), phase('preparing'), { kind: 'ranks', count: Number(rank) + 1 }],
  },
  {
    sample: 'Last checkpoint detected: ./outputs/qwen3-dflash/epoch_1_step_4000',
    pattern: /^Last checkpoint detected: (?!None$)(\S+)$/,
    find: ([, path = '']) => [phase('preparing'), fact('resumed_from', path)],
  },
  {
    sample: 'Starting training from epoch 0, step 0',
    pattern: /^Starting training from epoch[: ]+\d+/,
    find: () => [sign('runs'), phase('training')],
  },
  {
    sample: 'Train - Step 400 [400/9600], Loss: 5.1234, Acc: 0.1234',
    pattern: new RegExp(
      `\\bTrain - Step (\\d+) \\[(\\d+)\\/(\\d+)\\??\\], Loss: (${NUMBER})(?:, Acc: (${NUMBER}))?`,
      'i',
    ),
    find: ([, step, , total, loss, accuracy]) => [
      { kind: 'total', steps: Number(total) },
      ...steps(step, total),
      recorded({ step, loss, accuracy }),
    ],
  },
  {
    sample: 'Eval - Step 400 [400/9600], Loss: 5.4321, Acc: 0.1198',
    pattern: new RegExp(`\\bEval - Step \\d+ \\[\\d+\\/\\d+\\??\\], Loss: (${NUMBER})`, 'i'),
    find: ([, loss = '']) => [phase('training'), fact('val_loss', Number(loss))],
  },
  {
    sample: "step 50: {'loss': 5.1234, 'acc': 0.1234, 'grad_norm': 0.87, 'lr': 6e-05}",
    pattern: new RegExp(
      `^step (\\d+): \\{(?:.*?'loss': (${NUMBER}))(?=(?:.*?'acc': (${NUMBER}))?)(?=(?:.*?'lr': (${NUMBER}))?)`,
    ),
    find: ([, step, loss, accuracy, lr]) => [recorded({ step, loss, accuracy, lr })],
  },
  {
    sample: 'Saved full training state to outputs/epoch_0_step_400/training_state.pt',
    pattern: /^Saved full training state to \S/,
    find: () => [phase('checkpointing')],
  },
  {
    sample: 'Saved model configuration to outputs/epoch_0_step_400',
    pattern: /^Saved model configuration to (\S+)$/,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Training completed at step 9600, saving final checkpoint...',
    pattern: /^Training completed at step \d+, saving final checkpoint/,
    find: () => [sign('last epoch'), phase('checkpointing')],
  },
];
