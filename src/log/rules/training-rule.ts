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
  | 'elastic' // torchrun is at work: ranks that begin again are its own doing
  | 'sets up' // a trainer begins
  | 'runs' // a Trainer begins, of which there may be one a rank
  | 'runs again' // the head of another start, if there was one
  | 'tries again' // the same in words that fit a request as well
  | 'root cause' // torchrun's block names the first failing rank next
  | 'exits'
  | 'launches target'
  | 'awaits target'
  | 'waits' // a script looks again and again whether it is up
  | 'stops target'
  | 'fails' // the line is a failure
  | 'gives up' // the script's own end: the target server never came up
  | 'gives up unless asked'; // the same in words that fit a stop on purpose as well

export type TrainingFinding =
  | Finding
  | { readonly kind: 'sign'; readonly sign: Sign }
  | { readonly kind: 'script step'; readonly number: number }
  /** What holds only before the first step, while a target server is awaited, or once a wait for it was told: the words don't name it. */
  | {
      readonly kind: 'when';
      readonly state: 'untrained' | 'awaited' | 'waited';
      readonly findings: readonly TrainingFinding[];
    }
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
  /** Holds a word of three letters or more that few other lines hold: what can't match is passed over by it. */
  readonly pattern: RegExp;
  /** Not where this stands anywhere in the text: there the row's words mean something else. */
  readonly unless?: RegExp;
  /** Not where a word before the match makes it a condition, a wait or its opposite ("until the server is ready"). */
  readonly isClaim?: boolean;
  /** Only in records of a logger, or only in lines of a script or launcher; everywhere where absent. */
  readonly only?: 'record' | 'line';
  /** The line is a command: it does so as well where `set -x` prints it before it is run. */
  readonly isCommand?: true;
  /** The row can be tried before the record's further lines are there: its text has a fixed end. */
  readonly isPrompt?: boolean;
  find(match: RegExpMatchArray): readonly TrainingFinding[];
}

export function sign(name: Sign): TrainingFinding {
  return { kind: 'sign', sign: name };
}

export function when(
  state: Extract<TrainingFinding, { kind: 'when' }>['state'],
  findings: readonly TrainingFinding[],
): TrainingFinding[] {
  return [{ kind: 'when', state, findings }];
}

export function epochs(done: number, total: string): TrainingFinding[] {
  const unit = 'epoch';
  return [
    phase('training'),
    { kind: 'progress', progress: { phase: 'training', done, total: Number(total), unit } },
    fact('epochs', Number(total)),
  ];
}
