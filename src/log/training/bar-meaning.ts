/** What a bar counts: a run's steps, an epoch's, samples of hidden states, data, weight files that are written. */

import { fact, phase } from '../rules/rule.ts';
import type { TrainingFinding } from '../rules/training-rule.ts';
import type { Bar } from './bars.ts';
import { metricsOf } from './metrics.ts';
import type { TrainingState } from './state.ts';

const DATA =
  /^(?:Map|Filter|Saving the dataset|Generating|Tokeniz|Creating|Casting|Flattening|Prepar|Packing|Loading|Dropping|Adding|Applying|Truncating|Group|Sort|Running tokenizer|Download|Fetch|Resolving|Pre-?process)/i;
const SAVING = /^(?:Writing model shards|Saving)/i;
const EPOCH = /^(?:Train(?:ing)?\b.*|Epochs?\b.*|Steps?|Iterations?)(?: (\d+))?(?:\/\d+)?$/i;
const GENERATED = /\bok=(\d+), err=(\d+)/;
const LOSS = /\b(?:train_)?loss=([^,\s\]]+)/;
const ACCURACY = /\bacc(?:uracy)?=([^,\s\]]+)/;

/** Changes the state where the bar is the run's own. */
export function readBar(bar: Bar, state: TrainingState): readonly TrainingFinding[] {
  const generated = GENERATED.exec(bar.rest);
  if (generated !== null) {
    const [, ok = '', failed = ''] = generated;
    return [
      ...readData(bar, state),
      fact('hidden_states_ok', Number(ok)),
      fact('hidden_states_failed', Number(failed)),
    ];
  }
  if (bar.name === '') return readUnnamed(bar, state);
  if (DATA.test(bar.name)) return readData(bar, state);
  if (SAVING.test(bar.name)) return [phase('checkpointing')];
  return EPOCH.test(bar.name) ? readEpoch(bar, state) : [];
}

function readData({ done, total }: Bar, state: TrainingState): readonly TrainingFinding[] {
  if (state.isTrained || state.step !== null) return [];
  const progress: TrainingFinding[] = state.isGenerating
    ? [{ kind: 'progress', progress: { phase: 'preparing', done, total } }]
    : [];
  return [phase('preparing'), ...progress];
}

function readUnnamed(bar: Bar, state: TrainingState): readonly TrainingFinding[] {
  if (state.isGenerating) return readData(bar, state);
  if (state.isRich || bar.total === 0 || !isRunsOwn(bar, state)) return [];
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
  if (state.isValidating || bar.total === 0) return [];
  const loss = LOSS.exec(bar.rest)?.[1];
  const epoch = /(\d+)(?:\/\d+)?$/.exec(bar.name)?.[1];
  const found = [phase('training'), fact('steps_per_epoch', bar.total)] as const;
  if (loss === undefined || bar.isRich) return found;
  const step = epoch === undefined ? undefined : String(Number(epoch) * bar.total + bar.done);
  const accuracy = ACCURACY.exec(bar.rest)?.[1];
  const metrics = metricsOf({ step, epoch, loss, accuracy, lr: undefined, tokens: undefined });
  return [...found, { kind: 'metrics', metrics }];
}
