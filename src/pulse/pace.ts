/** How fast a recipe has been on a host before: what budgets and the time left are learnt from. */

import type { Phase } from '../run/run.ts';

/** One start that got ready, or one training that got through that phase. */
export interface PaceRecord {
  readonly run: string;
  /** Our clock, ms. */
  readonly at: number;
  readonly phases: readonly PhasePace[];
}

export interface PhasePace {
  readonly phase: Phase;
  /** How long it was in it, all visits together (ms). */
  readonly ms: number;
  /** The longest that its log was silent in it (ms). */
  readonly silentMs: number;
}

/** So many starts of a recipe on a host are remembered. */
export const MOST_PACE = 20;

/** The last of them, newest first. */
export type Pace = readonly PaceRecord[];
