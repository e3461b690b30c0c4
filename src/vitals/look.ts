/** One look at a ready server beside what was known of it: what each judgement goes by. */

import type { Acceptance } from '../verify/verification.ts';
import type { Counters } from './counters.ts';
import type { Point } from './memory.ts';
import type { Beat, LifeEvent, Vitals } from './vitals.ts';

/** Looks come every five seconds or so: after this long without any nobody knows what went on (ms). */
const GAP_MS = 60_000;

export interface Look {
  /** Host time, ms. */
  readonly at: number;
  readonly beat: Beat;
  /** Of this look; null where /metrics did not tell. */
  readonly counters: Counters | null;
  /** The look before at which counters were told. */
  readonly before: Point | null;
  /** Nothing was seen for too long before it, or the host's clock was set: what stood still then may have moved. */
  readonly isGap: boolean;
  /** Counters are less than before: the server began anew. */
  readonly isBack: boolean;
  /** The engine has made a step since the look before. */
  readonly isMoved: boolean;
  /** Between two changes of the load that a card shows (ms). */
  readonly loadMs: number;
  /** The recipe's least mean acceptance length, or null. */
  readonly acceptanceFloor: number | null;
  /** Since when it is ready. */
  readonly readyAt: number;
  /** When its log moved last. */
  readonly heardAt: number;
  /** The recipe's own budget for a standstill (ms), or null. */
  readonly budgetMs: number | null;
  /** Of its last verification, or null. */
  readonly verified: Acceptance | null;
}

/** What a judgement makes of a look: the new vitals, and what is to be told. */
export interface Judged {
  readonly vitals: Vitals;
  readonly news: readonly News[];
}

export type News = LifeEvent | { readonly kind: 'notice'; readonly text: string };

export type Circumstances = Pick<Look, 'loadMs' | 'acceptanceFloor' | 'readyAt' | 'heardAt' | 'budgetMs' | 'verified'>;

export function lookAt(beat: Beat, { beat: former, memory }: Vitals, more: Circumstances): Look {
  const { at, counters } = beat;
  const before = memory.last;
  const passed = former === null ? 0 : at - former.at;
  const pair = counters === null || before === null ? null : ([before.counters, counters] as const);
  return {
    ...{ at, beat, counters, before, ...more },
    isGap: passed < 0 || passed > GAP_MS,
    isBack: pair !== null && isLess(pair[1], pair[0]),
    isMoved: pair !== null && hasMoved(...pair),
  };
}

/** What only grows. */
const GROWING = ['promptTokens', 'generatedTokens', 'finished', 'preemptions', 'iterations'] as const;
/**
 * What the engine tells of itself after each step: while it computes a long prompt piece by piece no tokens are counted, but its cache fills. It hangs, and
 * they stand. Not who waits: that only grows, or is given up, where nothing is taken up any more.
 */
const GAUGES = ['running', 'kv'] as const;

function isLess(after: Counters, before: Counters): boolean {
  return GROWING.some((name) => (after[name] ?? 0) < (before[name] ?? 0) && after[name] !== null);
}

function hasMoved(before: Counters, after: Counters): boolean {
  return [...GROWING, ...GAUGES].some((name) => before[name] !== after[name]);
}
