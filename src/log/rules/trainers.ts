/** How trainers of all kinds print a step or a checkpoint: torchtune, NeMo Automodel, DeepSpeed's Arctic, Megatron, people's own loops. */

import { stepIn, validationIn } from '../training/pairs.ts';
import { planIn } from '../training/plan.ts';
import { fact, phase } from './rule.ts';
import { NUMBER, recorded, steps } from './trainer-step.ts';
import { epochs, sign, type TrainingFinding, type TrainingRule } from './training-rule.ts';

/** A bar, and a checkpoint that is loaded or called the best. */
const NO_STEP =
  /^[\w.]{0,80}(?:Error|Exception|Warning)\b|%\||\b(?:load|resum|restor|early|best|checkpoint)\w*.{0,80}\b(?:step|iter|epoch)/i;
/** A line that tells how far it is, or of what was or will be done at some time. */
const IN_STEP =
  /\bloss\w* ?[=:]|\bloss \d|%\||\b(?:done|finish\w*|complet\w*|remaining|left|previous|resum\w*|trained|skip\w*|beendet|fertig|abgeschlossen)\b/i;
const EVALUATION = /^\W{0,4}(?:eval|val|valid|validation|validierung|evaluation|test)\b/i;

export const TRAINER_RULES: readonly TrainingRule[] = [
  {
    sample: '    "num_train_epochs": 10,',
    pattern:
      /^[\s"']{0,40}(?:num_?(?:train_)?|max_|total_|n_|num train )?epochs["']? ?(?::|=|\.{3,}) {0,3}(\d{1,6})(?:\.0)?,?$/i,
    find: ([, all = '']) => [fact('epochs', Number(all))],
  },
  {
    sample: '  train_iters ................................ 200',
    pattern:
      /^ {0,8}(?:train_iters \.{3,}|Max train steps =|Maximum number of steps set at|total training steps:?) ([\d,]+)$/i,
    find: ([, total = '']) => [{ kind: 'total', steps: count(total) }],
  },
  {
    sample: 'Trainer is initialized with local batch size 4, sequence length 4096, total steps 300 (warmup 30).',
    pattern:
      /\b(?:total|max)(?:[ _](?:training|train|optimi[sz]ation|optimizer))?[ _]steps?(?:[=:] ?| )(\d[\d,]{0,12})\b(?!\/)/i,
    unless: /\bloss\b|%\|/,
    find: ({ 1: total = '', input = '' }) => [
      phase('preparing'),
      ...planIn(input),
      { kind: 'total', steps: count(total) },
    ],
  },
  {
    sample: 'training for 400 steps',
    pattern:
      /^(?:will )?(?:start(?:ing|s)? )?(?:train(?:ing|s)?|fine-?tuning|optimi[sz]ing|running)(?: \w{1,20}){0,2} for (\d[\d,]{0,12}) (?:optimi[sz]er |training |global )?(?:steps|iterations|updates)[.!]{0,3}$/i,
    unless: IN_STEP,
    find: ([, total = '']) => [{ kind: 'total', steps: count(total) }],
  },
  {
    sample: 'Training starts at step 1.',
    pattern: /^(?:Training starts at step \d|Now training epoch \d|\[before the start of training step\])/,
    find: () => [sign('runs'), sign('epoch'), phase('training')],
  },
  {
    sample: 'Train Epoch [1/40], position 0,  Acc: 0.41',
    pattern: /^Train(?:ing)? Epoch \[(\d{1,6})\/(\d{1,6})\], position/,
    find: ([, epoch, all = '']) => epochs(Number(epoch), all),
  },
  {
    sample: '41,520 samples, 1297 steps/epoch, 2 epochs',
    pattern: /(?:steps|batches|iterations|iters|updates|Schritte) ?(?:\/|[ _]per|[ _]an?|each|every|pro)[ _]?epoch/i,
    unless: IN_STEP,
    find: ({ input = '' }) => planIn(input),
  },
  {
    sample: 'Training for 3 epochs, 1200 steps in total',
    pattern: /\b\d{1,6} (?:full |training )?epoch(?:s|en)\b/i,
    unless: IN_STEP,
    find: ({ input = '' }) => planIn(input),
  },
  {
    sample: 'epoch 2/3 starts, 950 steps',
    pattern: /^[Ee]poch (\d+)\/(\d+)[ :,-]{0,3}(?:=*$|(?:starts?|started|starting|begins?)\b(?:, (\d+) steps)?)/,
    find: ([, epoch, total = '', perEpoch]) => [
      sign('epoch'),
      ...epochs(Number(epoch) - 1, total),
      ...(perEpoch === undefined ? [] : [fact('steps_per_epoch', Number(perEpoch))]),
    ],
  },
  {
    sample: 'Epoch 3/3 done',
    pattern: /^[Ee]poch (\d+)\/(\d+)[ :,-]{1,3}(?:done|over|finished|completed?|ended|ends)\b/,
    find: ([, epoch = '', total = '']) => [
      sign('epoch over'),
      ...epochs(Number(epoch), total),
      ...(epoch === total ? [sign('last epoch')] : []),
    ],
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
    sample: 'validation | epoch 0 | val_loss 1.9309 | no errors',
    pattern:
      /\b(?:val|valid|validation|validierung|eval|evaluation)(?:: |[_ /-])(?:avg[_ ]|mean[_ ])?loss["']?(?: ?[=:] {0,12}| {1,12}| ?\()["'[(]?(?:[-+\d]|nan|inf)/i,
    unless:
      /^[\w.]{0,80}(?:Error|Exception|Warning)\b|%\||\b(?:best|lowest|restor\w*|resum\w*|early|checkpoint\w*|sav(?:e|ed|ing))\b.{0,80}loss/i,
    find: ({ input = '' }) => stepFound(input, true),
  },
  {
    sample: 'Epoch [1/3], Step [100/400], Loss: 2.345',
    pattern: /loss(?:_step|_avg)?["']?(?: ?[=:] {0,12}| {1,12}| ?\()["'[(]?(?:[-+\d]|nan|inf)/i,
    unless: NO_STEP,
    find: ({ input = '' }) => stepFound(input),
  },
];

/** `isNamed`: the line names a validation's loss. */
function stepFound(text: string, isNamed = false): TrainingFinding[] {
  const found = stepIn(text);
  if (found === null) {
    const isEvaluation = EVALUATION.test(text);
    const alone = isNamed || isEvaluation ? validationIn(text, isEvaluation) : null;
    return alone === null ? [] : [phase('training'), fact('val_loss', alone)];
  }
  const { metrics, ofRun, ofEpoch, epochs: all, validationLoss } = found;
  const { step = null, loss = null } = metrics.record ?? {};
  if (EVALUATION.test(text)) return [phase('training'), ...(loss === null ? [] : [fact('val_loss', loss)])];
  return [
    ...(all === null ? [] : [fact('epochs', all)]),
    ...(ofEpoch === null ? [] : [fact('steps_per_epoch', ofEpoch)]),
    ...(ofRun === null ? [] : [{ kind: 'total', steps: ofRun } as const]),
    ...(ofRun === null || step === null ? [] : steps(String(step), String(ofRun))),
    { kind: 'metrics', metrics },
    ...(validationLoss === null ? [] : [fact('val_loss', Number(validationLoss))]),
  ];
}

function count(text: string): number {
  return Number(text.replaceAll(',', ''));
}
