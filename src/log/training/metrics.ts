/** Metric records of trainers: `train/loss=4.812, train/full_acc=0.161, …, global_step=612` and `{'loss': 0.86, 'epoch': 0.97}`. */

import type { TrainRecord } from '../events.ts';
import { type Finding, fact, phase } from '../rules/rule.ts';

export interface Metrics {
  readonly findings: readonly Finding[];
  /** null for a validation or a summary. */
  readonly record: TrainRecord | null;
  /** What makes the record worthless: its loss is no number, or the trainer had nothing to train on. */
  readonly isBad: boolean;
  /** The closing summary of a run. */
  readonly isSummary: boolean;
  /** All steps of the run, where the record holds them. */
  readonly total?: number;
}

const PAIR = /(?:^|, ?)([a-z]\w*(?:\/[\w .]+)?)=([^\s,]+)/gi;
const WHOLE = /[\w.)]=[^\s,=]+$/;
const DICT_PAIR = /['"]([\w/. -]+)['"]: ?['"]?([^\s,'"}]+)/g;

/** As transformers and people's own loops name them. */
const LOSS_KEYS = ['loss', 'train_loss', 'train/loss', 'total_loss', 'lm_loss'];
const STEP_KEYS = ['step', 'global_step', 'train/step', 'train/global_step', 'iteration', 'iter'];
const TOTAL_KEYS = ['max_steps', 'total_steps', 'num_steps', 'total_training_steps', 'max_train_steps'];
const VALIDATION_KEYS = ['eval_loss', 'val_loss', 'eval/loss', 'val/loss', 'validation_loss'];
const RATE_KEYS = ['learning_rate', 'lr', 'train/lr', 'train/learning_rate'];

/** Where structured loggers say of what the numbers are. */
const KIND_KEYS = ['event', 'split', 'phase', 'mode', 'stage'];
const EVALUATION = /^(?:eval|val|valid|test)/i;

/** `nan` and `inf` are words; longer ones are no value. */
const LONGEST_WORD = 20;

/** True where text begins like a record of speculators. */
export function isMetricText(text: string): boolean {
  return text.startsWith('train/') || text.startsWith('val/');
}

/** null while the record isn't whole: it ends in `key=value` without a comma. */
export function parseMetrics(text: string): Metrics | null {
  if (!WHOLE.test(text)) return null;
  const values = new Map([...text.matchAll(PAIR)].map(([, key = '', value = '']) => [key, value]));
  const loss = values.get('train/loss');
  if (loss === undefined) return validation(values.get('val/loss_epoch') ?? values.get('val/loss'));
  const accuracy = number(values.get('train/full_acc'));
  const record = {
    step: number(values.get('global_step')),
    epoch: number(values.get('epoch')),
    loss: asLogged(loss),
    accuracy,
    tokensPerSecond: number(values.get('profile/tokens_per_s')),
  };
  const facts = [factOf('eal', values.get('train/eal')), factOf('lr', values.get('lr') ?? values.get('lr/AdamW'))];
  const isNothing = record.loss === 0 && (accuracy === null || accuracy === 0);
  return { findings: facts.flat(), record, isBad: isNothing || isNoNumber(record.loss), isSummary: false };
}

/** The dict lines of transformers' Trainer; newer ones quote the numbers. */
export function parseDict(text: string): Metrics | null {
  if (!/^\{['"][\w/. -]+['"]: /.test(text) || !text.endsWith('}')) return null;
  const values = new Map([...text.matchAll(DICT_PAIR)].map(([, key = '', value = '']) => [key, value]));
  const runtime = values.get('train_runtime');
  if (runtime !== undefined)
    return { findings: factOf('train_loss', values.get('train_loss')), record: null, isBad: false, isSummary: true };
  const loss = first(values, LOSS_KEYS);
  if (loss === undefined) return validationOf(values);
  if (EVALUATION.test(first(values, KIND_KEYS) ?? '')) return validation(loss);
  const record = {
    step: number(first(values, STEP_KEYS)),
    epoch: number(first(values, ['epoch', 'train/epoch'])),
    loss: asLogged(loss),
    accuracy: number(first(values, ['acc', 'accuracy', 'train_acc', 'train/acc'])),
    tokensPerSecond: number(first(values, ['tokens_per_second_per_gpu', 'tokens_per_second', 'tps'])),
  };
  const isOverflown = record.loss === 0 && isNoNumber(asLogged(values.get('grad_norm') ?? ''));
  const findings = [
    ...factOf('lr', first(values, RATE_KEYS)),
    ...factOf('epochs', first(values, ['num_epochs', 'max_epochs', 'total_epochs', 'epochs'])),
    ...factOf('steps_per_epoch', first(values, ['steps_per_epoch'])),
    ...factOf('val_loss', first(values, VALIDATION_KEYS)),
  ];
  const total = number(first(values, TOTAL_KEYS));
  const isBad = isOverflown || isNoNumber(record.loss);
  return { findings, record, isBad, isSummary: false, ...(total === null ? {} : { total }) };
}

function validationOf(values: ReadonlyMap<string, string>): Metrics | null {
  const loss = first(values, VALIDATION_KEYS);
  return loss === undefined ? null : validation(loss);
}

function first(values: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  const key = keys.find((each) => values.has(each));
  return key === undefined ? undefined : values.get(key);
}

/** A record of another trainer, from what its own row found. */
export function metricsOf(
  found: Readonly<Record<'step' | 'epoch' | 'loss' | 'accuracy' | 'lr' | 'tokens', string | undefined>>,
): Metrics {
  const loss = asLogged(found.loss ?? '');
  const record = {
    step: number(found.step),
    epoch: number(found.epoch),
    loss,
    accuracy: number(found.accuracy),
    tokensPerSecond: number(found.tokens),
  };
  return { findings: factOf('lr', found.lr), record, isBad: isNoNumber(loss), isSummary: false };
}

function validation(loss: string | undefined): Metrics {
  return { findings: [phase('training'), ...factOf('val_loss', loss)], record: null, isBad: false, isSummary: false };
}

function factOf(key: string, value: string | undefined): Finding[] {
  return value === undefined ? [] : [fact(key, asLogged(value))];
}

/** As logged: a number, else the word (`nan`, `inf`). */
function asLogged(text: string): number | string {
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? text.toLowerCase().slice(0, LONGEST_WORD) : value;
}

function number(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function isNoNumber(value: number | string): boolean {
  return typeof value === 'string' && /^[+-]?(?:nan|inf)/.test(value);
}
