/**
 * A step as people's own loops print it: names and numbers in any order (`Epoch [1/3], Step [100/400], Loss: 2.34`, `iter 10: loss 2.3, lr 1e-4`).
 * A loss makes it one, with a step, an iteration, a batch or an epoch beside it.
 */

import { type Metrics, metricsOf } from './metrics.ts';

export interface Step {
  readonly metrics: Metrics;
  /** What stands behind the step's slash: of the run, or of its epoch. */
  readonly ofRun: number | null;
  readonly ofEpoch: number | null;
  /** Behind the epoch's slash. */
  readonly epochs: number | null;
  /** Of an evaluation in the same line. */
  readonly validationLoss: string | null;
}

const VALUE = '([-+]?\\d[\\d.,]{0,24}(?:e[-+]?\\d{1,3})?|[-+]?(?:nan|inf)(?![a-z]))';
const KIND =
  '(?:(train|training|val|valid|validation|validierung|evaluation|eval|test|best|lm|avg|average|mean|total|running|learning)(?:: |[ _/-]))?';
const PAIR = new RegExp(
  `(?<![a-z])${KIND}([a-z][a-z_]{0,24})["']?(?: ?[=:] {0,12}| {1,12}| ?\\()["'\\[(]?${VALUE}(?: {0,3}(?:\\/|of) {0,8}(\\d[\\d,]{0,12}))?`,
  'gi',
);
/** torchvision's: `Epoch: [0]  [ 20/312]`; a percentage behind the second number would make them samples. */
const BRACKETS = /\bepoch:? ?\[(\d{1,6})(?:\/(\d{1,6}))?\] {0,3}\[ {0,8}(\d{1,9})\/(\d{1,9})\]/i;
/** `[0/3][10/400] loss 2.0`: epoch and batch of all, by their order alone. */
const BARE = /^\[(\d{1,6})\/(\d{1,6})\] {0,3}\[ {0,8}(\d{1,9})\/(\d{1,9})\]/;
const STEP = /^(?:global_?step|step|iter|iteration|it|optimizer_step|update|schritt)s?$/i;
const BATCH = /^(?:batch|batch_idx|local_step|micro_step)$/i;
const EVALUATION = /^(?:val|valid|validation|validierung|evaluation|eval|test|best)$/i;

const NONE = {
  step: undefined,
  epoch: undefined,
  loss: undefined,
  accuracy: undefined,
  lr: undefined,
  tokens: undefined,
};

interface Pair {
  readonly kind: string;
  readonly name: string;
  readonly value: string;
  readonly of: string | undefined;
}

/** null where the line is no step. */
export function stepIn(text: string): Step | null {
  const pairs = pairsIn(text);
  const own = pairs.filter(({ kind }) => !EVALUATION.test(kind));
  const loss = own.find(isLoss);
  const step = own.find(({ name }) => STEP.test(name)) ?? own.find(({ name }) => BATCH.test(name));
  const epoch = own.find(({ name }) => /^ep(?:och[se]?)?$/i.test(name));
  const bare = BARE.exec(text);
  if (loss === undefined || (step === undefined && epoch === undefined && bare === null)) return null;
  const [, inEpochs, ofEpochs, inBrackets, ofBrackets] = bare ?? BRACKETS.exec(text) ?? [];
  const value = (...names: readonly string[]) => own.find(({ name }) => names.includes(name.toLowerCase()))?.value;
  const isInEpoch =
    epoch?.of !== undefined || ofBrackets !== undefined || (step !== undefined && BATCH.test(step.name));
  const of = count(step?.of ?? ofBrackets);
  const metrics = metricsOf({
    step: (step?.value ?? inBrackets)?.replaceAll(',', ''),
    epoch: epoch?.value ?? inEpochs,
    loss: loss.value,
    accuracy: value('acc', 'accuracy', 'train_acc', 'full_acc'),
    lr: value('lr', 'learning_rate') ?? own.find(isRate)?.value,
    tokens: value('tps', 'tokens_per_second', 'tokens_per_second_per_gpu', 'tokens_per_s', 'tok_s')?.replaceAll(
      ',',
      '',
    ),
  });
  return {
    metrics,
    ofRun: isInEpoch ? null : of,
    ofEpoch: isInEpoch ? of : null,
    epochs: count(epoch?.of ?? ofEpochs),
    validationLoss: pairs.find(isValidationLoss)?.value ?? null,
  };
}

/** The loss of an evaluation that has a line of its own, which may say so at its beginning alone; null where there is none. */
export function validationIn(text: string, isEvaluation: boolean): number | string | null {
  const loss = pairsIn(text).find(isEvaluation ? isLoss : isValidationLoss)?.value;
  return loss === undefined ? null : (metricsOf({ ...NONE, loss }).record?.loss ?? null);
}

function pairsIn(text: string): Pair[] {
  return [...text.matchAll(PAIR)].map(([, kind = '', name = '', value = '', of]) => pairOf(kind, name, value, of));
}

/** A name may hold its kind (`val_loss`), and a sentence's comma stands behind its number. */
function pairOf(kind: string, name: string, value: string, of: string | undefined): Pair {
  const [, inside = '', rest = name] = /^(val|valid|validation|eval|test|best|train)_(\w+)$/i.exec(name) ?? [];
  return { kind: kind === '' ? inside : kind, name: rest, value: value.replace(/[.,]{1,3}$/, ''), of };
}

function isLoss({ kind, name }: Pair): boolean {
  return /^(?:avg_|mean_|total_|running_|lm_|ce_)?loss(?:_step|_avg)?$/i.test(name) && kind !== 'learning';
}

function isValidationLoss(pair: Pair): boolean {
  return /^(?:val|eval)/i.test(pair.kind) && isLoss(pair);
}

function isRate({ kind, name }: Pair): boolean {
  return kind.toLowerCase() === 'learning' && name.toLowerCase() === 'rate';
}

function count(text: string | undefined): number | null {
  return text === undefined ? null : Number(text.replaceAll(',', ''));
}
