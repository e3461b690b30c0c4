/** How trainers of all kinds set themselves up: their ranks, their model, a checkpoint to go on from. */

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
