/** What other trainers print: transformers' Trainer (axolotl, LlamaFactory, TRL), SpecForge, torchtune, NeMo Automodel, DeepSpeed, Megatron. */

import { metricsOf } from '../training/metrics.ts';
import { fact, phase } from './rule.ts';
import { sign, type TrainingFinding, type TrainingRule } from './training-rule.ts';

/** No bar, and no checkpoint that is loaded or called the best. */
const RECORDED = '^(?!.*%\\|)(?!.*\\b(?:load|resum|restor|early|best|checkpoint)\\w*.{0,80}\\b(?:step|iter|epoch))';
/** A training's, no evaluation's. */
const LOSS = '(?<!(?:val|valid|validation|eval|test|best)[_ /:-]?)(?<![a-z])loss[=: ]{1,3}';
const NUMBER = '[-+]?[\\d.]+(?:[eE][-+]?\\d+)?|(?:nan|inf)(?![a-z])';

export const TRAINER_RULES: readonly TrainingRule[] = [
  {
    sample: '***** Running training *****',
    pattern: /^\*{3,} Running training \*{3,}/,
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
    sample: 'Saving model checkpoint to /scratch/wren/checkpoint-120',
    pattern: /^Saving model checkpoint to (.+?)\.?$/,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saving', path }],
  },
  {
    sample: 'Loading model from out/checkpoint-120.',
    pattern: /^(?:Loading model from|Resuming (?:training )?from(?: checkpoint)?:?) (\S*checkpoint\S*?)\.?$/,
    find: ([, path = '']) => [fact('resumed_from', path)],
  },
  {
    sample: 'Train - Step 400 [400/9600], Loss: 5.1234, Acc: 0.1234',
    pattern: new RegExp(`Train - Step (\\d+) \\[(\\d+)\\/(\\d+)\\??\\], Loss: (${NUMBER})(?:, Acc: (${NUMBER}))?`, 'i'),
    find: ([, step, , total, loss, accuracy]) => [
      { kind: 'total', steps: Number(total) },
      ...steps(step, total),
      recorded({ step, loss, accuracy }),
    ],
  },
  {
    sample: 'Total training steps: 9600',
    pattern: /^Total (?:training|optimization) steps: ([\d,]+)/i,
    find: ([, total = '']) => [{ kind: 'total', steps: count(total) }],
  },
  {
    sample: 'Saved checkpoint to out/epoch_1_step_400',
    pattern:
      /^(?:Saved|Checkpoint saved|Model checkpoint saved|Successfully saved) (?:checkpoint|model|to|at|in)\b(?: to| at| in)?:? ?(\S*\/\S+?)\.?$/i,
    find: ([, path = '']) => [phase('checkpointing'), { kind: 'saved', path }],
  },
  {
    sample: 'Saving checkpoint at step 400',
    pattern: /^Saving (?:a |the |model |training )?(?:checkpoint|state)\b/i,
    find: () => [phase('checkpointing')],
  },
  {
    sample: '1|240|Loss: 1.8342:  12%|█▏        | 240/2000 [02:11<16:02,  1.83it/s]',
    pattern: new RegExp(`^(\\d+)\\|(\\d+)\\|Loss: (${NUMBER})(?::? *\\d+%\\|[^|]*\\| *(\\d+)\\/(\\d+))?`),
    find: ([, epoch, step, loss, , perEpoch]) => [
      ...(perEpoch === undefined ? [] : [fact('steps_per_epoch', Number(perEpoch))]),
      recorded({ step, epoch, loss }),
    ],
  },
  {
    sample: 'Step 240 | loss:1.83 lr:2e-05 tokens_per_second_per_gpu:811.2',
    pattern: new RegExp(
      `^Step (\\d+) \\| loss:(${NUMBER})(?:.*?\\blr:(${NUMBER}))?(?:.*?\\btokens_per_second\\w*:(${NUMBER}))?`,
    ),
    find: ([, step, loss, lr, tokens]) => [recorded({ step, loss, lr, tokens })],
  },
  {
    sample: 'epoch=0 step=305 loss=8.78 acc=0.118 lr=6.1e-05',
    pattern: new RegExp(
      `(?:^|[|\\]:-] )(?:epoch[= ](\\d+)[ ,|]+)?step[= ](\\d+)(?:/(\\d+))?[ ,|]+(?:epoch[= ](\\d+)[ ,|]+)?loss[= ](${NUMBER})(?:.*?\\bacc[= ](${NUMBER}))?(?:.*?\\blr[= ](${NUMBER}))?(?:.*?\\btps[= ](${NUMBER}))?`,
    ),
    find: ([, before, step, total, behind, loss, accuracy, lr, tokens]) => [
      ...steps(step, total),
      recorded({ step, epoch: before ?? behind, loss, accuracy, lr, tokens }),
    ],
  },
  {
    sample: 'iter: 130/3000 4% | loss: 16.5 | iter time: 1.04s | lr: 8.7E-04',
    pattern: new RegExp(
      `(?:^|[|\\]:-] ) *iter(?:ation)?:? +(\\d+) ?\\/ *(\\d+)\\b.*?\\b(?:lm )?loss: (${NUMBER})(?:.*?\\blr: (${NUMBER}))?`,
    ),
    find: ([, step, total, loss, lr]) => [
      { kind: 'total', steps: Number(total) },
      ...steps(step, total),
      recorded({ step, loss, lr }),
    ],
  },
  {
    sample: 'The full model checkpoint, including all weights and configurations, has been saved successfully.',
    pattern: /^The full model checkpoint, including all weights/,
    find: () => [phase('checkpointing'), sign('says done')],
  },
  {
    sample: 'Epoch 1/3, Step 120/400, Loss: 2.345',
    pattern: new RegExp(
      `${RECORDED}(.*?(?<![a-z_]))(?:global[_ ])?(?:step|iter(?:ation)?)[=: \\[]{1,2}(\\d+)(?: ?\\/ ?(\\d+))?\\b.{0,160}?${LOSS}(${NUMBER})`,
      'i',
    ),
    only: 'line',
    find: ([, before = '', step, total, loss]) => {
      const epoch = /epoch[=: []{1,2}(\d+)/i.exec(before)?.[1];
      const ofEpoch = epoch !== undefined && total !== undefined ? [fact('steps_per_epoch', Number(total))] : [];
      return [...ofEpoch, ...(epoch === undefined ? steps(step, total) : []), recorded({ step, epoch, loss })];
    },
  },
  {
    sample: 'Train Epoch: 1 [120/400 (30%)] Loss: 2.345',
    pattern: new RegExp(`${RECORDED}.{0,60}\\bepoch[=: \\[]{1,2}(\\d+)\\b.{0,120}?${LOSS}(${NUMBER})`, 'i'),
    only: 'line',
    find: ([, epoch, loss]) => [recorded({ epoch, loss })],
  },
];

function recorded(found: Partial<Parameters<typeof metricsOf>[0]>): TrainingFinding {
  const none = { step: undefined, epoch: undefined, loss: undefined, accuracy: undefined, lr: undefined };
  return { kind: 'metrics', metrics: metricsOf({ ...none, tokens: undefined, ...found }) };
}

function steps(step: string | undefined, total: string | undefined): TrainingFinding[] {
  if (step === undefined || total === undefined) return [];
  const progress = { phase: 'training', done: Number(step), total: Number(total), unit: 'step' } as const;
  return [{ kind: 'progress', progress }];
}

function count(text: string): number {
  return Number(text.replaceAll(',', ''));
}
