/** How trainers of all kinds set themselves up: their ranks, their model, a checkpoint to go on from. */

import { planIn } from '../training/plan.ts';
import { fact, phase } from './rule.ts';
import type { TrainingFinding, TrainingRule } from './training-rule.ts';

const PATH = "'?(?=[^\\s']*\\/[^\\s'])([^\\s',;]+?)[.,:;]?'?";

export const SETUP_RULES: readonly TrainingRule[] = [
  {
    sample: 'Process rank: 1, world size: 2, device: cuda:1, distributed training: True, compute dtype: torch.bfloat16',
    pattern: /^Process rank: (-?\d{1,6}), (?:world size: (\d{1,6}), )?(?:device|n_gpu)/,
    find: ([, rank = '0', world]) => ranks(world === undefined ? Number(rank) + 1 : Number(world)),
  },
  {
    sample: 'Initializing 4 distributed tasks at: 127.0.0.1:41877',
    pattern: /^Initializing (\d{1,6}) distributed tasks at/,
    find: ([, world = '1']) => ranks(Number(world)),
  },
  {
    sample:
      'using world size: 4, data-parallel size: 2, tensor-model-parallel size: 2, pipeline-model-parallel size: 1',
    pattern: /^using world size: (\d{1,6}),/,
    find: ([, world = '1']) => ranks(Number(world)),
  },
  {
    sample: 'rank 0 in world size 2: joined, backend gloo',
    pattern: /\bworld[_ ]?size(?: is| of)?["']? ?[=: ] ?(\d{1,6})\b(?! ?\/)/i,
    unless: /\bloss\b|\bworld[_ ]?size ?[=<>!]=/i,
    find: ({ 1: world = '1', input = '' }) => [...ranks(Number(world)), ...planIn(input)],
  },
  {
    sample: 'DDP on 4 GPUs (nccl)',
    pattern:
      /\b(?:DDP|FSDP|DistributedDataParallel|data[- ]parallel)\b[^.;]{0,30}? (\d{1,4}) (?:ranks|processes|workers|GPUs|devices)\b/,
    unless: /\bloss\b|\bof \d/i,
    find: ({ 1: world = '1', input = '' }) => [...ranks(Number(world)), ...planIn(input)],
  },
  {
    sample: 'Training on 4 GPUs with DDP',
    pattern:
      /\b(\d{1,4}) (?:GPUs|devices|ranks|processes),? \(?(?:with |using |via )?(?:DDP|FSDP|DistributedDataParallel)\b/,
    unless: /\bloss\b/i,
    find: ({ 1: world = '1', input = '' }) => [...ranks(Number(world)), ...planIn(input)],
  },
  {
    sample: 'rank 2/4 joined (nccl)',
    pattern: /^\[?rank \d{1,6}(?:\/| of )(\d{1,6})\]?:? (?!.*\bloss\b)/i,
    find: ([, world = '1']) => ranks(Number(world)),
  },
  {
    sample: '> initializing torch distributed with 2 workers.',
    pattern: /^>? ?initiali[sz]ing torch distributed(?: with (\d{1,6}) workers)?/,
    find: ([, world]) => (world === undefined ? [phase('preparing')] : ranks(Number(world))),
  },
  {
    sample: 'GPU available: True (cuda), used: True',
    pattern:
      /^(?:GPU available: |(?:Global s|S)eed set to \d|trainable params: \d|building [\w-]+ model \.\.\.|time to initialize megatron|Number of (?:trainable )?parameters? |> (?:building|setting|initialized) )/,
    find: () => [phase('preparing')],
  },
  {
    sample: 'Resumed from /ckpt/dflash/step_1500: next_micro_step=6000, global_step=1500, epoch=2',
    pattern: new RegExp(
      `^(?:auto-?)?(?:resum(?:e|ed|ing)|continu(?:e|ed|ing)|restor(?:ed|ing))(?: training)? (?:from|at)(?: (?:the )?(?:last |latest )?(?:checkpoint|state|snapshot))?:? ${PATH}(?= |$)`,
      'i',
    ),
    find: ([, path = '']) => [phase('preparing'), fact('resumed_from', path)],
  },
  {
    sample: 'resume checkpoint: runs/x/epoch_0.pt, best val_loss 1.93',
    pattern: new RegExp(`^resum(?:e|ed|ing)(?: from)?(?: checkpoint| state| snapshot| path)?: ?${PATH}(?= |$)`, 'i'),
    find: ([, path = '']) => [phase('preparing'), fact('resumed_from', path)],
  },
  {
    sample: 'loaded checkpoint runs/x/epoch_0.pt, starting at epoch 1',
    pattern: new RegExp(
      `^load(?:ed|ing) (?:the |training |last |latest )*(?:checkpoint|state|snapshot)(?: from)?:? ${PATH} \\(?(?:start|resum|continu|go)(?:s|es|ing|ed)?\\b`,
      'i',
    ),
    find: ([, path = '']) => [phase('preparing'), fact('resumed_from', path)],
  },
  {
    sample: 'successfully loaded checkpoint from /ck/teal-70b [ t 1/4, p 1/1 ] at iteration 160',
    pattern: new RegExp(
      `^ {0,4}(?:=> |successfully )?load(?:ed|ing)(?: distributed)? (?:training )?(?:checkpoint|state) (?:from )?${PATH} (?:\\[[^\\]]{0,40}\\] )?\\(?(?:at )?(?:iteration|epoch|step)\\b`,
      'i',
    ),
    find: ([, path = '']) => [phase('preparing'), fact('resumed_from', path)],
  },
];

function ranks(count: number): TrainingFinding[] {
  return [phase('preparing'), { kind: 'ranks', count }];
}
