/** What the trainer's own lines add up to: records, checkpoints, ranks, its end. */

import type { Progress, TrainRecord } from '../events.ts';
import type { Placing, Where } from '../placing.ts';
import { fact, phase } from '../rules/rule.ts';
import type { Metrics } from './metrics.ts';
import type { TrainingState } from './state.ts';

const MOST_RANKS = 65_536;

export class TrainerStory {
  readonly #state: TrainingState;
  readonly #out: Placing;

  constructor(state: TrainingState, out: Placing) {
    this.#state = state;
    this.#out = out;
  }

  /** A training record, a validation or the closing summary. */
  record({ findings, record, isBad, isSummary, total }: Metrics, where: Where): void {
    if (total !== undefined && total !== this.#state.total) this.total(total, where);
    if (record !== null) this.#train(record, isBad, where);
    for (const finding of findings) this.#out.place(finding, where);
    if (isSummary) this.done(where);
  }

  /** The steps of the whole run. */
  total(steps: number, where: Where): void {
    this.#state.total = steps;
    this.#out.place(fact('total_steps', steps), where);
  }

  /** What later lines are counted by. */
  remember(key: string, value: number): void {
    if (key === 'epochs') this.#state.epochs = value;
    if (key === 'steps_per_epoch') this.#state.perEpoch = value;
  }

  /** How far it is was told. */
  advance({ phase: of, unit, done }: Progress, where: Where): void {
    if (of === 'training') this.confirmSave(where);
    // Of a bar beside records that count the steps: it is ahead of the last one.
    if (unit === 'step' && !this.#state.isRecorded) this.#out.place(fact('step', done), where);
  }

  done(where: Where): void {
    this.confirmSave(where);
    if (this.#state.isDone) return;
    this.#state.isDone = true;
    this.#out.place({ kind: 'done' }, where);
  }

  /** A later step was made: what was being saved is whole. */
  confirmSave(where: Where): void {
    const { saving } = this.#state;
    if (saving !== null) this.saved(saving, where);
  }

  saved(path: string, where: Where): void {
    this.#state.saving = null;
    this.#out.place(fact('checkpoint', path), where);
  }

  countRanks(count: number, where: Where): void {
    if (count <= this.#state.ranks || count > MOST_RANKS) return;
    this.#state.ranks = count;
    this.#out.place(fact('ranks', count), where);
  }

  /** The launcher's line has rank and exit code in one; its block at the very end names the rank first, then the code. */
  failedRank({ rank, exitCode }: { rank: number | null; exitCode: number | null }, where: Where): void {
    const state = this.#state;
    const isLine = rank !== null && exitCode !== null;
    if (rank !== null && !isLine) this.countRanks(rank + 1, where);
    if (!isLine && !state.isRootCause) return;
    if (rank !== null) this.#out.place(fact('failed_rank', rank), where);
    if (exitCode !== null) this.#out.place(fact('exitcode_of_rank', exitCode), where);
    if (isLine) state.failedLine = where.line;
    if (isLine && isKilled(exitCode)) this.#out.fail(where, { process: `rank${rank}`, pid: null });
    if (isLine || exitCode === null) return;
    state.isRootCause = false;
    state.hasExited = true;
  }

  #train(record: TrainRecord, isBad: boolean, where: Where): void {
    const state = this.#state;
    state.isTrained = true;
    state.isBegun = true;
    state.hasFailed = false;
    state.isGenerating = false;
    state.isNested = false;
    state.asides = [];
    this.confirmSave(where);
    this.#out.place(phase('training'), where);
    this.#goOn(where);
    this.#out.place({ kind: 'record', record }, where);
    this.#countEpochs(record, where);
    this.#countSteps(record, where);
    if (isBad && !state.isBad) this.#spoil(record, where);
    state.isBad = isBad;
  }

  /** A step behind a failed rank: torchrun has started all of them again (--max-restarts). */
  #goOn(where: Where): void {
    const { failedLine } = this.#state;
    if (failedLine === null) return;
    this.#state.failedLine = null;
    this.#state.isInterrupted = false;
    this.#out.place(fact('restarted_behind_line', failedLine), where);
  }

  /** Of a trainer that shows neither a bar nor its epochs' ends. */
  #countEpochs({ epoch }: TrainRecord, where: Where): void {
    const state = this.#state;
    if (epoch === 0) state.isFromZero = true;
    if (epoch === null || state.epochs === null || state.total !== null || state.isRich) return;
    const done = Math.max(0, Math.floor(epoch) - (state.isFromZero ? 0 : 1));
    const progress = { phase: 'training', done, total: state.epochs, unit: 'epoch' } as const;
    this.#out.place({ kind: 'progress', progress }, where);
  }

  /** Of a trainer that told its steps before. */
  #countSteps({ step }: TrainRecord, where: Where): void {
    const { total, isRich, step: drawn } = this.#state;
    if (step === null || total === null || isRich || drawn !== null || step > total) return;
    this.#out.place({ kind: 'progress', progress: { phase: 'training', done: step, total, unit: 'step' } }, where);
  }

  #spoil({ step, loss }: TrainRecord, where: Where): void {
    const first = step ?? this.#state.step;
    if (typeof loss === 'string' && first !== null) this.#out.place(fact('first_nan_step', first), where);
    this.#out.fail(where, { process: null, pid: null, source: 'record' });
  }
}

/** Ended by a signal that nobody sends to ask for an end. */
function isKilled(code: number): boolean {
  return code < 0 && code !== -15 && code !== -2;
}

/** The trainer made what it was asked for: its epochs, or --max-steps in the middle of one. */
export function isAtEnd({ isTrained, isLastEpochDone, isEpochDone, isInterrupted }: TrainingState): boolean {
  return !isInterrupted && (isLastEpochDone || (isTrained && isEpochDone));
}
