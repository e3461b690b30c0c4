/** What a row of the training rules is. Its sample is run by a test. */

import type { Metrics } from '../training/metrics.ts';
import { type Finding, fact, phase } from './rule.ts';

/** What a line means for the reading of the lines after it. */
export type Sign =
  | 'generates' // data or hidden states are made: a bar without a name counts samples
  | 'generated'
  | 'validates'
  | 'validated'
  | 'epoch'
  | 'epoch over'
  | 'last epoch' // the last epoch is over
  | 'closes' // the trainer's own last line: its end, if all epochs are over
  | 'says done' // the script says so
  | 'interrupts' // somebody asked for the end
  | 'banner' // torchrun begins
  | 'sets up' // a trainer begins
  | 'runs' // a Trainer begins, of which there may be one a rank
  | 'root cause' // torchrun's block names the first failing rank next
  | 'exits'
  | 'launches target'
  | 'awaits target'
  | 'stops target'
  | 'fails' // the line is a failure
  | 'gives up' // the script's own end: the target server never came up
  | 'gives up unless asked'; // the same in words that fit a stop on purpose as well

export type TrainingFinding =
  | Finding
  | { readonly kind: 'sign'; readonly sign: Sign }
  | { readonly kind: 'script step'; readonly number: number }
  | { readonly kind: 'saving'; readonly path: string }
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'ranks'; readonly count: number }
  | { readonly kind: 'waited'; readonly seconds: number }
  | { readonly kind: 'total'; readonly steps: number }
  | { readonly kind: 'failed rank'; readonly rank: number | null; readonly exitCode: number | null }
  | { readonly kind: 'metrics'; readonly metrics: Metrics };

export interface TrainingRule {
  /** The message as printed, without its head; the one of a wrapped record joined. */
  readonly sample: string;
  readonly pattern: RegExp;
  /** Only in records of a logger, or only in lines of a script or launcher; everywhere where absent. */
  readonly only?: 'record' | 'line';
  /** The row can be tried before the record's further lines are there: its text has a fixed end. */
  readonly isPrompt?: boolean;
  find(match: RegExpMatchArray): readonly TrainingFinding[];
}

export function sign(name: Sign): TrainingFinding {
  return { kind: 'sign', sign: name };
}

export function epochs(done: number, total: string): TrainingFinding[] {
  const unit = 'epoch';
  return [
    phase('training'),
    { kind: 'progress', progress: { phase: 'training', done, total: Number(total), unit } },
    fact('epochs', Number(total)),
  ];
}
