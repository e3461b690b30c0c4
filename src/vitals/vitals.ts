/** What a ready server shows of its life: plain data, saved with its run. Times are ms; `at` is the host's clock. */

import type { Cause } from '../diagnosis/cause.ts';
import type { Acceptance } from '../verify/verification.ts';
import type { Counters } from './counters.ts';
import { type Memory, NO_MEMORY } from './memory.ts';

/** One look at a ready server. */
export interface Beat {
  readonly at: number;
  /** What /health says: 503 = dead. refused: nobody listens. silent: no answer in time. */
  readonly health: 'ok' | 'dead' | 'refused' | 'silent';
  /** null where /metrics don't tell (statistics off, no answer). */
  readonly counters: Counters | null;
  /** Cores in use by its processes, and the highest use of its GPUs (%), where that is known. */
  readonly cores: number | null;
  readonly gpuUse: number | null;
  /** When a large process was last seen to have joined its own (a compiler, mostly), or null. */
  readonly newcomerAt?: number | null;
  /** Whether it completes the small request that it is sent where nothing moves: true once, missing where none was sent. */
  readonly answered?: boolean;
}

/** What the card and `status` show of it: renewed at a slow pace. */
export interface Load {
  /** When the window ended, and how long it was. */
  readonly at: number;
  readonly overMs: number;
  readonly running: number;
  readonly waiting: number;
  /** Tokens a second over the window. */
  readonly promptRate: number;
  readonly generationRate: number;
  readonly kv: number | null;
  /** Finished requests a minute. */
  readonly finishedRate: number;
  /** Over the window; null without drafts in it. */
  readonly acceptance: Acceptance | null;
  /** HTTP answers in the window by kind of status; null where not counted. */
  readonly answers: { readonly ok: number; readonly client: number; readonly server: number } | null;
}

/** It takes requests and does nothing. */
export interface Hang {
  /** engine: requests are there and no counter of the engine moves. server: it doesn't answer at all. */
  readonly what: 'engine' | 'server';
  /** How long it had stood still when it was told. */
  readonly forMs: number;
  readonly running: number;
  readonly waiting: number;
  readonly health: Beat['health'];
  readonly generatedTokens: number | null;
  readonly cores: number | null;
  readonly gpuUse: number | null;
  /** Its log says that it waits for a worker (`No available shared memory broadcast block found`). */
  readonly saysThatItWaits: boolean;
  /** A small request of Vigil's own was not completed either. */
  readonly ownUnanswered?: true;
}

/** A file system that fills up. */
export interface Disk {
  /** What of it is on there: 'log', 'cache', ... as words for people. */
  readonly what: string;
  readonly mount: string;
  /** Bytes. */
  readonly free: number;
  readonly total: number;
  /** How long until it is full at the pace of the last hours, or null where it isn't filling. */
  readonly fullInMs: number | null;
}

/** Requests that end in errors of the server's own. */
export interface ErrorRate {
  /** Answers with a 5xx status, or server-side exceptions in the log, in the window, and all answers where they are counted. */
  readonly count: number;
  readonly of: number | null;
  readonly overMs: number;
  readonly from: 'answers' | 'log';
  /** The log's own words for the newest, masked and cut, or null. */
  readonly last: string | null;
}

/** The engine is dead; the process may live on for some seconds, or for ever. */
export interface EngineDeath {
  readonly at: number;
  readonly how: 'health' | 'log';
  readonly cause: Cause | null;
}

/** Its drafts are accepted less than before, on what clients ask. */
export interface Fall {
  readonly before: Acceptance;
  readonly after: Acceptance;
  /** The recipe's floor where it fell below that, or null. */
  readonly floor: number | null;
}

/** What is told of a ready server's life. */
export type LifeEvent =
  | { readonly kind: 'hang'; readonly hang: Hang }
  | { readonly kind: 'hang_over'; readonly hang: Hang; readonly ms: number }
  | { readonly kind: 'engine_dead'; readonly death: EngineDeath }
  | { readonly kind: 'acceptance_fell'; readonly fall: Fall }
  | { readonly kind: 'disk'; readonly disk: Disk }
  | { readonly kind: 'errors'; readonly errors: ErrorRate };

export interface Vitals {
  /** The last look. */
  readonly beat: Beat | null;
  /** What the card shows. */
  readonly load: Load | null;
  /** Where nothing is counted: when it answered last, as the card shows it; renewed at the load's pace. */
  readonly answeredAt?: number | null;
  /** What stands told and is not over. */
  readonly hang: Hang | null;
  readonly death: EngineDeath | null;
  readonly disks: readonly Disk[];
  readonly errors: ErrorRate | null;
  /** Told once a run. */
  readonly fall: Fall | null;
  /** What the judgements above need of what came before. */
  readonly memory: Memory;
}

/** Of a server that has just become ready. */
export const NO_VITALS: Vitals = {
  beat: null,
  load: null,
  hang: null,
  death: null,
  disks: [],
  errors: null,
  fall: null,
  memory: NO_MEMORY,
};
