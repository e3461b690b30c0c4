/** What the judgements on a ready server remember from look to look: small, since it is saved with the run. Times are the host's, ms. */

import type { Acceptance } from '../verify/verification.ts';
import type { Counters, Drafts } from './counters.ts';

export interface Memory {
  /** The last look at which counters were told. */
  readonly last: Point | null;
  readonly load: LoadMemory;
  readonly hang: HangMemory;
  readonly death: DeathMemory;
  readonly errors: ErrorMemory;
  readonly trend: TrendMemory;
  readonly disks: readonly DiskMemory[];
}

/** Counters and when they were seen. */
export interface Point {
  readonly at: number;
  readonly counters: Counters;
}

export interface LoadMemory {
  /** Where the window begins that the card will show next. */
  readonly from: Point | null;
  /** Since when it is otherwise than the card shows (idle or not), and at how many looks. */
  readonly turn: { readonly from: Point; readonly looks: number } | null;
}

export interface HangMemory {
  /** Since when requests are there and nothing moves, and at how many looks; null while it moves or idles. */
  readonly still: Stretch | null;
  /** Requests that its gauges showed when it completed another one all the same: as long as they show the same and it does nothing more, nobody waits. */
  readonly stale?: Pick<Counters, 'running' | 'waiting' | 'finished' | 'generatedTokens'> | null;
  /** Since when it does not answer. */
  readonly unanswered: Stretch | null;
  /** How often its log has said, minute by minute, that the engine waits for a worker. */
  readonly waits: { readonly from: number; readonly last: number; readonly times: number } | null;
  /** What stands told: since when it stands still, and what showed it. */
  readonly told: { readonly from: number; readonly by: 'counters' | 'log' | 'silence' } | null;
  /** When the last one was told, and how many were. */
  readonly toldAt: number | null;
  readonly times: number;
}

export interface Stretch {
  readonly from: number;
  readonly looks: number;
}

export interface DeathMemory {
  /** It shows that the engine is dead; it is told once its log has had a moment to say why. */
  readonly dying: { readonly at: number; readonly how: 'health' | 'log' } | null;
  /** Looks in a row that show it alive although it was told dead. */
  readonly wellLooks: number;
}

export interface ErrorMemory {
  /** Where the window begins, and the answers by then. */
  readonly from: number | null;
  readonly answers: Counters['answers'];
  /** Exceptions of the engine in its log in this window, and the newest one's words. */
  readonly logged: number;
  readonly last: string | null;
  /** Windows in a row without too many. */
  readonly calm: number;
  /** When they were told last, and how often they were. */
  readonly toldAt?: number | null;
  readonly times?: number;
}

export interface TrendMemory {
  /** What is usual here: its first traffic, or its verification where that was lower. */
  readonly reference: Acceptance | null;
  readonly from: { readonly at: number; readonly drafts: Drafts } | null;
  /** Where the first of the windows in a row begins that were too low, and how many there are. */
  readonly low: { readonly from: Drafts; readonly windows: number } | null;
}

export interface DiskMemory {
  readonly mount: string;
  /** Free bytes, some of the looks of the last hours, the oldest first. */
  readonly points: readonly { readonly at: number; readonly free: number }[];
  /** When it was told last. */
  readonly toldAt?: number | null;
}

export const NO_MEMORY: Memory = {
  last: null,
  load: { from: null, turn: null },
  hang: { still: null, unanswered: null, waits: null, told: null, toldAt: null, times: 0 },
  death: { dying: null, wellLooks: 0 },
  errors: { from: null, answers: null, logged: 0, last: null, calm: 0 },
  trend: { reference: null, from: null, low: null },
  disks: [],
};
