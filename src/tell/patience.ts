/** How long a report leaves Slack alone that does not answer: longer each time. Kept in memory: who takes over begins anew. */

import { jittered } from '../flow/wait.ts';
import type { Timings } from '../timings.ts';

/** What Slack asks for is kept within this (ms): an end is not silenced for an hour. */
const MOST_MS = 5 * 60_000;

export class Patience {
  readonly #timings: Pick<Timings, 'reconnect' | 'away'>;
  #failures = 0;
  #until = 0;
  #span = 0;

  constructor(timings: Pick<Timings, 'reconnect' | 'away'>) {
    this.#timings = timings;
  }

  /** `now`: our clock; `atLeast`: what Slack asks for; both ms. */
  failed(now: number, atLeast = 0): void {
    const { reconnect, away } = this.#timings;
    const usual = Math.min(away, jittered(reconnect * 2 ** Math.min(this.#failures, 20)));
    this.#failures += 1;
    this.#span = Math.max(usual, Math.min(atLeast, MOST_MS));
    this.#until = now + this.#span;
  }

  answered(): void {
    this.#failures = 0;
    this.#until = 0;
  }

  /** ms until the next try; 0 = now. */
  left(now: number): number {
    const left = this.#until - now;
    // A clock that was set back makes it no longer.
    return left > this.#span ? 0 : Math.max(0, left);
  }
}
