/**
 * Two runs of one job in one process: a job whose lock was lost is given out again, perhaps to the very process whose first run of it has not
 * noticed. BullMQ renews locks by the job's id alone and stops when either run ends, so that the second would lose its lock, too, and so on for
 * ever. Thus a second begins only when the first has let go.
 */

/** ms that a run may take to let go; one that doesn't hear is passed over. */
const PATIENCE_MS = 30_000;

interface Running {
  readonly abort: AbortController;
  /** When it was asked to let go, or null. */
  askedAt: number | null;
}

export class FormerRuns {
  readonly #running = new Map<string, Running>();

  /** Whether a former run of the job is still to be waited for; it is asked to let go. */
  isHeld(job: string, now: number): boolean {
    const former = this.#running.get(job);
    if (former === undefined) return false;
    former.askedAt ??= now;
    former.abort.abort(new Error('the job is given out again'));
    return now - former.askedAt < PATIENCE_MS;
  }

  /** The work is the job's run from now on, until it ends; `signal` asks it to let go. */
  async run<Value>(job: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const own: Running = { abort: new AbortController(), askedAt: null };
    this.#running.set(job, own);
    try {
      return await work(own.abort.signal);
    } finally {
      if (this.#running.get(job) === own) this.#running.delete(job);
    }
  }
}
