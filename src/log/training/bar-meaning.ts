/** What a bar counts: a run's steps, an epoch's, samples of hidden states, data, weight files that are written. */

import { fact, phase } from '../rules/rule.ts';
import { epochs, type TrainingFinding } from '../rules/training-rule.ts';
import type { Bar } from './bars.ts';
import { metricsOf } from './metrics.ts';
import type { TrainingState } from './state.ts';

const DATA =
  /^(?:Map|Filter|Saving the dataset|Generating|Tokeniz|Creating|Casting|Flattening|Prepar|Packing|Loading|Dropping|Adding|Applying|Truncating|Group|Sort|Running tokenizer|Download|Fetch|Resolving|Pre-?process|Counting|Render|Processing|Collating|Encoding)/i;
/** Samples that a model makes: how far it is is worth telling, unlike what is done to data that is there. */
const MADE = /generat|distil|extract|hidden|respon|annotat|synth|rollout|inferenc|label/i;
const SAVING = /^(?:Writing model shards|Saving)/i;
const EPOCH =
  /^(?:(?:Train(?:ing)?|Finetun(?:e|ing)|Fine-tun(?:e|ing))\b.*|\[?Epochs?\b.*|E\d+|Steps?|Iterations?|iters?)(?: (\d+))?(?:\/\d+)?\]?$/i;
const EVALUATION = /\b(?:valid|eval|test|predict|benchmark)/i;
const TARGETS = /^Capturing|% Completed|\bgraph/i;
const GENERATED = /\bok=(\d+), err(?:ors?)?=(\d+)/;
const LOSS = /\b(?:train[_/])?loss(?:_step)?[=:] ?([^,\s\]]+)/;
const ACCURACY = /\bacc(?:uracy)?[=:] ?([^,\s\]]+)/;
const NUMBERED = /(?:^|\D)(\d{1,9})(?: ?(?:\/|of) ?(\d{1,9}))?\]?$/;

/** Changes the state where the bar is the run's own. */
export function readBar(bar: Bar, state: TrainingState): readonly TrainingFinding[] {
  const generated = GENERATED.exec(bar.rest);
  if (generated !== null) {
    const [, ok = '', failed = ''] = generated;
    const told = [fact('hidden_states_ok', Number(ok)), fact('hidden_states_failed', Number(failed))];
    return [...readData(bar, state), ...(bar.rest.includes('errors=') ? [] : told)];
  }
  if (bar.name === '') return readUnnamed(bar, state);
  if (DATA.test(bar.name)) return readData(bar, state);
  if (SAVING.test(bar.name)) return [phase('checkpointing')];
  if (EPOCH.test(bar.name)) return readEpoch(bar, state);
  return isTargets(state) || TARGETS.test(bar.name) || EVALUATION.test(bar.name) ? [] : readData(bar, state);
}

function readData({ name, done, total, rest }: Bar, state: TrainingState): readonly TrainingFinding[] {
  if (state.isTrained || state.step !== null) return [];
  const isMade = state.isGenerating || ((MADE.test(name) || GENERATED.test(rest)) && !rest.includes('examples/s'));
  const progress: TrainingFinding[] = isMade
    ? [{ kind: 'progress', progress: { phase: 'preparing', done, total, unit: 'file' } }]
    : [];
  return [phase('preparing'), ...progress];
}

/** A target server that comes up draws bars, some of them without a name. */
function isTargets({ hasTarget, isTargetUp, hasTrainer, isTrained, targetStopLine }: TrainingState): boolean {
  return hasTarget && !isTargetUp && !hasTrainer && !isTrained && targetStopLine === null;
}

function readUnnamed(bar: Bar, state: TrainingState): readonly TrainingFinding[] {
  if (state.isGenerating) return readData(bar, state);
  if (state.isRich || bar.total === 0 || isTargets(state) || !isRunsOwn(bar, state)) return [];
  state.total = bar.total;
  state.step = bar.done;
  return [
    phase('training'),
    fact('total_steps', bar.total),
    { kind: 'progress', progress: { phase: 'training', done: bar.done, total: bar.total, unit: 'step' } },
  ];
}

/** An evaluation draws bars of the same kind, with a total of its own or beginning again; a finished bar before any record was of the data. */
function isRunsOwn({ done, total }: Bar, state: TrainingState): boolean {
  if (state.total === null) return true;
  if (total !== state.total) return !state.isTrained && state.step === state.total && done === 0;
  if (state.step !== null && done < state.step) state.isNested = true;
  return !state.isNested;
}

function readEpoch(bar: Bar, state: TrainingState): readonly TrainingFinding[] {
  if (state.isValidating || bar.total === 0 || EVALUATION.test(bar.name)) return [];
  if (bar.isRich) return [phase('training'), fact('steps_per_epoch', bar.total)];
  const [, epoch, all] = NUMBERED.exec(bar.name) ?? [];
  if (epoch === '0') state.isFromZero = true;
  if (all !== undefined) state.epochs = Number(all);
  const isRun = epoch === undefined && isWholeRun(bar.total, state);
  if (isRun) state.total = bar.total;
  return [
    phase('training'),
    fact(isRun ? 'total_steps' : 'steps_per_epoch', bar.total),
    ...progressOf(bar, epoch, state),
    ...recordOf(bar, epoch, state),
  ];
}

/** A bar without a number counts the run where there is one epoch, or where it is longer than one. */
function isWholeRun(steps: number, { epochs, perEpoch, total }: TrainingState): boolean {
  return (epochs ?? 1) <= 1 || steps === total || (perEpoch !== null && steps > perEpoch);
}

/** Epochs where their number is told, else the bar's steps; records that count the run's own tell more. */
function progressOf({ done, total }: Bar, epoch: string | undefined, state: TrainingState): readonly TrainingFinding[] {
  if (state.isRich || (state.isRecorded && epoch !== undefined)) return [];
  if (epoch !== undefined && state.epochs !== null) return epochs(before(epoch, state), String(state.epochs));
  return [{ kind: 'progress', progress: { phase: 'training', done, total, unit: 'step' } }];
}

function recordOf(bar: Bar, epoch: string | undefined, state: TrainingState): readonly TrainingFinding[] {
  const loss = LOSS.exec(bar.rest)?.[1];
  if (loss === undefined || state.isRecorded) return [];
  const done = epoch === undefined ? bar.done : before(epoch, state) * bar.total + bar.done;
  const accuracy = ACCURACY.exec(bar.rest)?.[1];
  const metrics = metricsOf({ step: String(done), epoch, loss, accuracy, lr: undefined, tokens: undefined });
  return [{ kind: 'metrics', metrics }];
}

/** Epochs before this one. */
function before(epoch: string, { isFromZero }: TrainingState): number {
  return Math.max(0, Number(epoch) - (isFromZero ? 0 : 1));
}
