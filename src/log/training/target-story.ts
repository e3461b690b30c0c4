/** A training's target server as its script and its own lines in the training's log show it: up, waited for, stopped, fetching. */

import type { Placing, Where } from '../placing.ts';
import { fact } from '../rules/rule.ts';
import type { TrainingFinding } from '../rules/training-rule.ts';
import type { Aside, TrainingState } from './state.ts';

/** Seconds of the script's own wait in which a download's bar stood still, before that is a trouble. */
const STALLED_SECONDS = 900;

export class TargetStory {
  readonly #state: TrainingState;
  readonly #out: Placing;

  constructor(state: TrainingState, out: Placing) {
    this.#state = state;
    this.#out = out;
  }

  /** It is launched, or prints its first line. */
  start(): void {
    this.#state.hasTarget = true;
    this.#state.isTargetUp = false;
    this.#state.isWaiting = false;
    this.#state.targetStopLine = null;
  }

  /** It answers. */
  rise(): void {
    this.#state.isTargetUp = true;
    this.#state.isWaiting = false;
  }

  /** It is stopped on purpose, or ends in good order: what its processes print from here on is no failure. */
  stop(line: number): void {
    this.#state.targetStopLine ??= line;
  }

  /** It was launched, waited for or heard, and isn't up yet as far as is known; a trainer shows that it is. */
  isAwaited(): boolean {
    const { hasTarget, isTargetUp, targetStopLine, isTrained } = this.#state;
    return hasTarget && !isTargetUp && targetStopLine === null && !isTrained;
  }

  /** Whether what a script says without naming the target holds now. */
  is(asked: 'untrained' | 'awaited' | 'waited'): boolean {
    if (asked === 'untrained') return !this.#state.isTrained;
    return this.isAwaited() && (asked === 'awaited' || this.#state.isWaiting);
  }

  /** A script speaks of it before it is up, or looks again and again. */
  await(isAgain: boolean): void {
    this.#state.hasTarget = true;
    if (isAgain && !this.#state.isTargetUp) this.#state.isWaiting = true;
  }

  isStoppedBefore(line: number): boolean {
    const { targetStopLine } = this.#state;
    return targetStopLine !== null && line >= targetStopLine;
  }

  /** It went on to something else than a download. */
  move(): void {
    this.#state.download = null;
  }

  /** It fetches a weight file: bytes so far and in all. */
  fetch({ done, total }: { done: number; total: number }, where: Where): void {
    const state = this.#state;
    if (done !== state.downloadBytes) {
      state.waitedAtMove = state.waited;
      state.isStalled = false;
    }
    const { process, pid, message } = where.said;
    state.downloadBytes = done;
    state.download = done < total ? { line: where.line, process, pid, text: message.trim() } : null;
    this.#out.place(fact('download_bytes_done', done), where);
    this.#out.place(fact('download_bytes_total', total), where);
  }

  /** The script says how long it has waited: the only clock that a log has. */
  wait(seconds: number, where: Where): void {
    const state = this.#state;
    state.waited = seconds;
    state.hasTarget = true;
    state.isWaiting = true;
    this.#out.place(fact('waited_seconds', seconds), where);
    const { download } = state;
    if (download === null || state.isStalled || seconds - state.waitedAtMove < STALLED_SECONDS) return;
    state.isStalled = true;
    const { line, process, pid, text } = download;
    this.#out.fail({ line, said: { ...where.said, process, pid, message: text } }, { source: 'bar' });
  }
}

/** True for what a script says of a target that it waits for. */
export function isAside(finding: TrainingFinding): finding is Aside {
  if (finding.kind === 'phase') return finding.phase === 'target_starting' || finding.phase === 'target_ready';
  const isNumber = finding.kind === 'fact' && typeof finding.value === 'number';
  return isNumber && (finding.key === 'target_pid' || finding.key === 'target_ready_seconds');
}
