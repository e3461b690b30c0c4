/** Waiting for a stream, and for something else beside it. */

export type Over = 'woken' | 'late';

/** What the one who waits may be woken by, beside the stream. A wait may be over once more than there was reason for. */
export class Rest {
  #end: () => void = () => undefined;
  #isAwake = false;

  wake(): void {
    this.#isAwake = true;
    this.#end();
  }

  /** Ends with the next `wake`, also with one that came since the last wait; with `ms`, after so long at the latest. */
  over(ms: number | null): Promise<Over> {
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(() => resolve('late'), ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve('woken');
      };
      if (this.#isAwake) this.#end();
      this.#isAwake = false;
    });
  }
}

/** The source's values, and why a rest was over where one was over first. The source is the caller's to end. */
export async function* withRests<Value extends object>(
  source: AsyncIterator<Value>,
  rest: () => Promise<Over>,
): AsyncGenerator<Value | Over> {
  for (;;) {
    const next = source.next();
    try {
      let came = await Promise.race([next, rest()]);
      while (typeof came === 'string') {
        yield came;
        came = await Promise.race([next, rest()]);
      }
      if (came.done) return;
      yield came.value;
    } finally {
      next.catch(() => undefined);
    }
  }
}
