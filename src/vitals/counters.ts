/** What a server's /metrics say, summed over its engines: plain data, saved with its run. Counters only grow, but for a restart. */

export interface Counters {
  /** How many engines tell of themselves. */
  readonly engines: number;
  readonly running: number;
  readonly waiting: number;
  /** The fullest engine's KV cache, 0 to 1; null where it isn't told. */
  readonly kv: number | null;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  /** Engine iterations, or null where this version doesn't count them. */
  readonly iterations: number | null;
  /** Requests that were finished, whatever the reason. */
  readonly finished: number;
  readonly preemptions: number;
  /** HTTP answers by their status, of the paths that clients ask; null where they aren't counted. */
  readonly answers: { readonly ok: number; readonly client: number; readonly server: number } | null;
  /** Somebody has sent an engine of it to sleep: it does nothing until it is woken. */
  readonly isAsleep?: true;
  /** null without speculation. */
  readonly drafts: Drafts | null;
}

export interface Drafts {
  readonly drafts: number;
  readonly draftTokens: number;
  readonly accepted: number;
  /** Accepted by position. */
  readonly perPosition: readonly number[];
}
