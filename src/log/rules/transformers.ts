/** What transformers' Trainer and accelerate log (4.3x to 5; TRL, axolotl and LlamaFactory train with them), in the order of a run. */

import { fact, phase } from './rule.ts';
import { sign, type TrainingRule } from './training-rule.ts';

export const TRANSFORMERS_RULES: readonly TrainingRule[] = [
  {
    sample: 'Loading model from out/checkpoint-120.',
    pattern:
      /^(?:Loading model from|Loading states from|Resuming (?:training )?from(?: checkpoint)?:?) (?=\S*checkpoint)(\S+?)\.?$/,
    find: ([, path = '']) => [fact('resumed_from', path)],
  },
  {
    sample: '***** Running training *****',
    pattern: /^(?:\*{3,} )?Running training \*{3,}/,
    find: () => [sign('runs'), phase('training')],
  },
  {
    sample: '  Num Epochs = 3',
    pattern: /^ *Num Epochs = ([\d,]+)$/,
    find: ([, epochs = '']) => [fact('epochs', count(epochs))],
  },
  {
    sample: '  Total optimization steps = 3,600',
    pattern: /^ *Total optimization steps = ([\d,]+)$/,
    find: ([, steps = '']) => [{ kind: 'total', steps: count(steps) }],
  },
  {
    // Of Unsloth, which draws its own.
    sample: '   \\\\   /|    Num examples = 12,000 | Num Epochs = 1 | Total steps = 1,500',
    pattern: /\bNum Epochs = ([\d,]{1,12}) \| Total (?:optimization )?steps = ([\d,]{1,12})$/,
    find: ([, epochs = '', steps = '']) => [fact('epochs', count(epochs)), { kind: 'total', steps: count(steps) }],
  },
  {
    sample: 'Total training steps: 9600',
    pattern: /^Total (?:training|optimization) steps: ([\d,]+)/i,
    find: ([, total = '']) => [{ kind: 'total', steps: count(total) }],
  },
  {
    sample: 'Saving model checkpoint to /scratch/wren/checkpoint-120',
    pattern: /^(?:Saving model checkpoint|Saving current state) to (.+?)\.?$/,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saving', path }],
  },
  {
    sample: 'Random states saved in out/checkpoint-500/random_states_0.pkl',
    pattern: /^Random states saved in (\S+)\/random_states_\d+\.pkl$/,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Loading best model from out/checkpoint-240 (score: 1.2034).',
    pattern: /^Loading best model from (\S+) \(score: /,
    find: ([, path = '']) => [fact('best_checkpoint', path)],
  },
];

function count(text: string): number {
  return Number(text.replaceAll(',', ''));
}
