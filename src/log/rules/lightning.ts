/** What Lightning, DeepSpeed's launcher and its engine say of a training around its steps. */

import { fact, phase } from './rule.ts';
import { sign, type TrainingRule } from './training-rule.ts';

export const LIGHTNING_RULES: readonly TrainingRule[] = [
  {
    sample: 'Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2/4',
    pattern: /^Initializing distributed: GLOBAL_RANK: \d+, MEMBER: \d+\/(\d+)/,
    find: ([, size = '1']) => [sign('sets up'), phase('preparing'), { kind: 'ranks', count: Number(size) }],
  },
  {
    sample: 'All distributed processes registered. Starting with 4 processes',
    pattern: /^All distributed processes registered\. Starting with (\d+) processes/,
    find: ([, size = '1']) => [phase('preparing'), { kind: 'ranks', count: Number(size) }],
  },
  {
    sample: 'Restoring states from the checkpoint path at runs/epoch=0-step=400.ckpt',
    pattern: /^Restor(?:ing|ed all) states from the checkpoint (?:path )?at (\S+)$/,
    find: ([, path = '']) => [phase('preparing'), fact('resumed_from', path)],
  },
  {
    sample:
      "Epoch 1, global step 800: 'val_loss' reached 2.31840 (best 2.31840), saving model to '/w/epoch=1.ckpt' as top 1",
    pattern:
      /^Epoch \d+, global step \d+: '([^']{1,80})' reached ([-\d.einf]+) \(best ([-\d.einf]+)\), saving model to '([^']+)' as top \d+/,
    find: ([, monitor = '', value, best, path = '']) => [
      phase('checkpointing'),
      { kind: 'saved', path },
      ...(value === best ? [fact('best_checkpoint', path)] : []),
      ...(/loss/.test(monitor) && value === best ? [fact('best_val_loss', Number(best))] : []),
    ],
  },
  {
    sample: '`Trainer.fit` stopped: `max_epochs=3` reached.',
    pattern: /^`Trainer\.fit` stopped: `max_(?:epochs|steps)=\d+` reached/,
    find: () => [sign('last epoch'), sign('closes')],
  },
];

export const DEEPSPEED_RULES: readonly TrainingRule[] = [
  {
    sample: 'dist_world_size=4',
    pattern: /^dist_world_size=(\d+)$/,
    find: ([, size = '1']) => [sign('banner'), { kind: 'ranks', count: Number(size) }],
  },
  {
    sample: 'Initializing TorchBackend in DeepSpeed with backend nccl',
    pattern: /^Initializing TorchBackend in DeepSpeed with backend/,
    find: () => [phase('preparing')],
  },
  {
    sample: '[Torch] Checkpoint global_step400 is ready now!',
    pattern: /^\[Torch\] Checkpoint \S+ is (?:about to be saved|ready now)!/,
    find: () => [phase('checkpointing')],
  },
  {
    sample: 'Main process received SIGTERM, exiting',
    pattern: /^Main process received SIG(?:TERM|INT), exiting/,
    find: () => [sign('interrupts')],
  },
];
