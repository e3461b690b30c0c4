/**
 * What the found lines of a training mean in their order. Holds the state between lines, and finds another start in the same file:
 * a script's "Step 1" after a later step, or a launcher that begins again after a training or an exit. An epoch that starts is
 * none, nor are torchrun's ranks that are started again under the same banner (--max-restarts).
 */

import type { Trouble } from '../events.ts';
import { isMeasured } from '../measured.ts';
import { type Placed, Placing, type Where } from '../placing.ts';
import { fact } from '../rules/rule.ts';
import type { Sign, TrainingFinding } from '../rules/training-rule.ts';
import { isRank } from '../speaker.ts';
import { beginsAgain, headsAnother, stepsAgain } from './starts.ts';
import { type Aside, EMPTY_TRAINING, type TrainingState } from './state.ts';
import { isAside, TargetStory } from './target-story.ts';
import { isAtEnd, TrainerStory } from './trainer-story.ts';

const MOST_ASIDES = 8;

export class TrainingStory {
  readonly state: TrainingState;
  readonly target: TargetStory;
  readonly #trainer: TrainerStory;
  readonly #out = new Placing();

  constructor(state: TrainingState) {
    this.state = state;
    this.target = new TargetStory(state, this.#out);
    this.#trainer = new TrainerStory(state, this.#out);
  }

  tell(findings: readonly TrainingFinding[], where: Where): readonly Placed[] {
    for (const finding of findings) if (isMeasured(finding)) this.#tellOne(finding, where);
    return this.#out.take();
  }

  /** A rank spoke. */
  hearRank(rank: number, where: Where): void {
    this.#trainer.countRanks(rank + 1, where);
  }

  /** Something raised. */
  hearFailure(): void {
    this.state.hasFailed = true;
  }

  /** A target server that was stopped on purpose ends with complaints that are none. */
  isExpected({ line, process, message }: Trouble): boolean {
    if (!this.target.isStoppedBefore(line)) return false;
    return process === null ? /\bKilled\b.{0,300}vllm/i.test(message) : !isRank(process);
  }

  #tellOne(finding: TrainingFinding, where: Where): void {
    const { state } = this;
    switch (finding.kind) {
      case 'sign':
        this.#read(finding.sign, where);
        break;
      case 'metrics':
        this.#trainer.record(finding.metrics, where);
        break;
      case 'when':
        if (this.target.is(finding.state)) for (const each of finding.findings) this.#tellOne(each, where);
        break;
      case 'script step':
        if (finding.number === 1 && stepsAgain(state)) this.#restart(where);
        state.scriptStep = finding.number;
        break;
      case 'saving':
        state.saving = finding.path;
        break;
      case 'saved':
        this.#trainer.saved(finding.path, where);
        break;
      case 'ranks':
        this.#trainer.countRanks(finding.count, where);
        break;
      case 'waited':
        this.target.wait(finding.seconds, where);
        break;
      case 'total':
        this.#trainer.total(finding.steps, where);
        break;
      case 'failed rank':
        this.#trainer.failedRank(finding, where);
        break;
      default:
        if (finding.kind === 'phase' && finding.phase === 'preparing' && state.isBegun) break;
        if (finding.kind === 'phase' && finding.phase === 'training') state.isBegun = true;
        if (isAside(finding)) this.#hearAside(finding, where);
        if (finding.kind === 'phase' && finding.phase === 'target_ready') this.target.rise();
        if (finding.kind === 'fact') this.#trainer.remember(finding.key, Number(finding.value));
        if (finding.kind === 'progress') this.#trainer.advance(finding.progress, where);
        this.#out.place(finding, where);
    }
  }

  #read(sign: Sign, where: Where): void {
    const { state } = this;
    switch (sign) {
      case 'generates':
      case 'generated':
        state.isGenerating = sign === 'generates';
        break;
      case 'validates':
      case 'validated':
        state.isValidating = sign === 'validates';
        break;
      case 'epoch':
      case 'epoch over':
        state.isEpochDone = sign === 'epoch over';
        state.isNested = false;
        break;
      case 'last epoch':
        state.isLastEpochDone = true;
        break;
      case 'closes':
        if (isAtEnd(state)) this.#trainer.done(where);
        break;
      case 'says done':
        if (state.isTrained && !state.isInterrupted && !state.hasFailed && (!state.isRich || isAtEnd(state)))
          this.#trainer.done(where);
        break;
      case 'interrupts':
        state.isInterrupted = true;
        this.#out.place({ kind: 'shutdown' }, where);
        break;
      case 'banner':
      case 'sets up':
      case 'runs':
        this.#begin(sign, where);
        break;
      case 'runs again':
      case 'tries again':
        if (headsAnother(sign, this.state)) this.#restart(where);
        break;
      case 'elastic':
        state.isElastic = true;
        break;
      case 'root cause':
        state.isRootCause = true;
        break;
      case 'exits':
        state.hasExited = true;
        break;
      case 'launches target':
        if (state.hasExited || state.hasGivenUp || (state.isTrained && state.hasFailed)) this.#restart(where);
        if (state.targetStopLine !== null) this.#out.place(fact('target_stopped', false), where);
        this.target.start();
        break;
      case 'awaits target':
      case 'waits':
        this.target.await(sign === 'waits');
        break;
      case 'stops target':
        this.target.stop(where.line);
        this.#out.place(fact('target_stopped', true), where);
        break;
      case 'fails':
        // A generator asks again, and tells itself when it gives up.
        if (!state.isGenerating) this.#out.fail(where);
        break;
      case 'gives up':
      case 'gives up unless asked':
        if (sign === 'gives up' || state.targetStopLine === null) this.#giveUp(where);
        break;
      default:
        sign satisfies never;
    }
  }

  /** Behind an end a script that starts or awaits a target begins again; one that only speaks of it may, as behind a step. */
  #hearAside(aside: Aside, where: Where): void {
    const { hasExited, isTrained } = this.state;
    if (hasExited && aside.kind === 'phase' && aside.phase === 'target_starting') this.#restart(where);
    if ((hasExited || isTrained) && this.state.asides.length < MOST_ASIDES) this.state.asides.push(aside);
  }

  #giveUp(where: Where): void {
    this.state.hasGivenUp = true;
    this.#out.fail(where, { source: 'wait' });
  }

  /** A launcher or a trainer begins. */
  #begin(sign: 'banner' | 'sets up' | 'runs', where: Where): void {
    if (beginsAgain(sign, this.state)) this.#restart(where);
    if (sign === 'banner') this.state.isElastic = true;
    this.state.hasTrainer = true;
  }

  #restart(where: Where): void {
    const { rich, asides } = this.state;
    Object.assign(this.state, structuredClone(EMPTY_TRAINING), { rich });
    this.#out.place({ kind: 'start' }, where);
    for (const each of asides) this.#out.place(each, where);
  }
}
