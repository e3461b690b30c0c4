/** Time that passes only while everybody waits for it: minutes of pacing in a moment, each waiter woken at exactly its time. */

interface Waiter {
  readonly at: number;
  readonly wake: () => void;
}

export class VirtualTime {
  #now: number;
  #busy = 0;
  #waiting: Waiter[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  /** For actors only: whoever waits here lets time go on. */
  readonly pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      // Whole ms, as clocks give them.
      this.#waiting.push({ at: this.#now + Math.max(0, Math.ceil(ms)), wake: resolve });
      this.#busy -= 1;
      this.#goOn();
    });

  /** Runs all actors at once, to their ends. */
  async run(actors: readonly (() => Promise<void>)[]): Promise<void> {
    this.#busy += actors.length;
    await Promise.all(
      actors.map(async (actor) => {
        try {
          await actor();
        } finally {
          this.#busy -= 1;
          this.#goOn();
        }
      }),
    );
  }

  #goOn(): void {
    if (this.#busy > 0 || this.#waiting.length === 0) return;
    const next = this.#waiting.reduce((first, one) => (one.at < first.at ? one : first));
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#now = Math.max(this.#now, next.at);
    this.#busy += 1;
    next.wake();
  }
}
