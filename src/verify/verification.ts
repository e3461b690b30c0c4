/** What a verification of a server found: plain data, saved with its run. Rates are 0 to 1, lengths are tokens, times ms. */

/** What is looked at, in the order in which it is told. */
export const VERIFY_IDS = [
  'reached',
  'model',
  'plain',
  'chat',
  'embedding',
  'classify',
  'score',
  'pooling',
  'acceptance',
  'speed',
  'first_token',
  'configuration',
  'statistics',
] as const;
export type VerifyId = (typeof VERIFY_IDS)[number];

/** failed: the server is of no use as it is; not_judged: it can't be looked at here, and why. */
export type Judged = 'passed' | 'warned' | 'failed' | 'not_judged';

export interface Finding {
  readonly id: VerifyId;
  readonly as: Judged;
  /** What was found, one sentence with its numbers; what the server said is masked and cut. */
  readonly found: string;
  /** What was expected, without a full stop, or null. */
  readonly expected: string | null;
  /** What to do, or null where there is nothing to do. */
  readonly advice: string | null;
  /** Why it may be so, the likeliest first, a sentence each. */
  readonly causes: readonly string[];
  /** A word that tells kinds of the same finding apart (a curve's shape), for "seen before"; else null. */
  readonly shape: string | null;
}

/** How fast it completes the fixed prompts, one after the other. */
export interface Speed {
  readonly by: 'forwarding' | 'curl';
  /** Generated tokens a second, without the time to the first one where that is known. */
  readonly tokensPerSecond: number;
  /** Median over the prompts, with one way through SSH and back; null where it can't be seen (curl). */
  readonly firstTokenMs: number | null;
  readonly tokens: number;
  /** Why it says little and sets no record: others compute on its GPUs, or asked it meanwhile. A sentence, or null. */
  readonly disturbedBy: string | null;
}

/** What became of drafts between two looks at /metrics, all engines together. */
export interface Acceptance {
  /** Accepted draft tokens / draft tokens. */
  readonly rate: number;
  /** 1 + accepted / drafts: 1 = nothing was accepted, the number of draft tokens + 1 = everything. */
  readonly length: number;
  /** By position: accepted there / drafts. Never rises. */
  readonly curve: readonly number[];
  readonly drafts: number;
  /** The fixed prompts' alone, or whatever others asked for. */
  readonly of: 'prompts' | 'traffic';
}

/** unusable: it answers, and is of no use as it is. */
export type Outcome = 'ready' | 'warnings' | 'unusable';

export interface Verification {
  /** Our clock, ms. */
  readonly at: number;
  /** Who asked for it (a Slack user id), or null: it came after the start. */
  readonly by: string | null;
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  readonly speed: Speed | null;
  readonly acceptance: Acceptance | null;
  /** As /version says, or null. */
  readonly version: string | null;
  /** What it was compared with; null where there was none. */
  readonly record: KeptRecord | null;
  /** What became of the record by it: null = it stays as it was. */
  readonly recorded: 'first' | 'better' | 'accepted' | null;
}

/** What verified runs of a recipe have reached on a host. */
export interface KeptRecord {
  readonly speed: Kept<Pick<Speed, 'by' | 'tokensPerSecond' | 'firstTokenMs'>> | null;
  readonly acceptance: Kept<Acceptance> | null;
}

export interface Kept<Value> {
  readonly value: Value;
  /** The run's name. */
  readonly run: string;
  /** Our clock, ms. */
  readonly at: number;
  readonly argv: readonly string[];
}

/** What a recipe demands of it (vigil.yaml's `floor`); null = nothing. */
export interface Floor {
  readonly acceptanceLength: number | null;
  readonly tokensPerSecond: number | null;
}
