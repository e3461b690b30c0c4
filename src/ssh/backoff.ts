/**
 * When a host may be tried again, for all who want it. Free until an attempt fails; then the failure is repeated without asking the host
 * until its time is over, each time longer; a success frees it.
 */

import { HostRefused } from '../errors.ts';
import type { Clock } from '../tools.ts';
import { TurnedAway } from './turned-away.ts';

/** ms. A refusal is held longer from the start: a host that bans after failed logins must not be knocked at each second. */
const FIRST = 1_000;
const FIRST_REFUSED = 10_000;
const FIRST_TURNED_AWAY = 5_000;
const LONGEST = 30_000;

export class Backoff {
  readonly #clock: Clock;
  readonly #random: () => number;
  #failures = 0;
  #held: { readonly error: Error; readonly from: number; readonly until: number } | null = null;

  constructor(clock: Clock, random: () => number = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The last failure while it holds, else null. */
  held(): Error | null {
    const now = this.#clock.now();
    // A clock that was set back holds nobody for hours.
    return this.#held !== null && now >= this.#held.from && now < this.#held.until ? this.#held.error : null;
  }

  failed(error: Error): void {
    const now = this.#clock.now();
    const longest = Math.min(LONGEST, firstHold(error) * 2 ** this.#failures);
    this.#failures += 1;
    this.#held = { error, from: now, until: now + longest * (0.5 + this.#random() / 2) };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#held = null;
  }
}

function firstHold(error: Error): number {
  if (error instanceof HostRefused) return FIRST_REFUSED;
  return error instanceof TurnedAway ? FIRST_TURNED_AWAY : FIRST;
}
