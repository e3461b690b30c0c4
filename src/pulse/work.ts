/** What a run remembers of its pulse: small, since it is saved with the run each second. */

import type { Phase } from '../run/run.ts';
import type { Motion } from './evidence.ts';
import type { Habit } from './habits.ts';

/** moving: its log is; quiet: silent, and work is seen; busy: silent, and only CPU or GPU are in use; stuck: nothing moves. */
export type Pulse = 'moving' | 'quiet' | 'busy' | 'stuck' | 'out_of_contact';

export interface Work {
  /** The pulse to go on with when the host is heard again. */
  readonly before: Exclude<Pulse, 'out_of_contact'>;
  /** The last two looks of this silence, compared; null before there are any. */
  readonly motion: Motion | null;
  /** Host time since which no look has shown work; null while the last one did. */
  readonly stillFrom: number | null;
  /** Host time since which no look has shown so much as use of CPU or GPU; null while the last one did. */
  readonly idleFrom: number | null;
  /** Host time of the last look of this silence that showed work, or null. */
  readonly movedAt: number | null;
  /** Host time since which NCCL's counts stand as they stand in `motion`; null where they don't differ. */
  readonly behindFrom: number | null;
  /** The rank that the others waited for; kept until the run goes on, since the error that follows blames another. */
  readonly culprit: Culprit | null;
  /** What had come of a download when it was last seen to grow, and what it will be in the end (bytes; null where that is not known). */
  readonly arrived: { readonly bytes: number; readonly total: number | null } | null;
  /** What has been told of this phase. */
  readonly told: readonly ('quiet' | 'busy')[];
  /** What stands told and is no good news: only silence, over-long use of CPU or GPU alone, or nothing that moves. */
  readonly alarm: 'silent' | 'busy' | 'stuck' | null;
  /** Host time when the last alarm was told, or null. */
  readonly alarmedAt: number | null;
  /** How many were told of this phase: each makes the wait for the next one longer. */
  readonly alarms: number;
  /** The stacks of this alarm have been looked at. */
  readonly hasStacks: boolean;
  /** The longest silence of each phase so far. */
  readonly silences: readonly Silence[];
  /** What earlier starts on this host have taught. */
  readonly habits: readonly Habit[];
}

export interface Silence {
  readonly phase: Phase;
  readonly ms: number;
}

/** Of ranks that wait for each other in NCCL, the one that is behind. */
export interface Culprit {
  readonly rank: number;
  readonly pid: number;
  /** As NCCL counts them. */
  readonly gpu: string;
  /** The host of its process, where the ranks are on several: the pid is none of this host's then. */
  readonly node?: string;
  readonly operation: string;
  /** Operations that it has launched, and those of the rank that is furthest. */
  readonly count: number;
  readonly highest: number;
  /** Other ranks that are as far behind. */
  readonly also: readonly number[];
}

export const NO_WORK: Work = {
  before: 'moving',
  motion: null,
  stillFrom: null,
  idleFrom: null,
  movedAt: null,
  behindFrom: null,
  culprit: null,
  arrived: null,
  told: [],
  alarm: null,
  alarmedAt: null,
  alarms: 0,
  hasStacks: false,
  silences: [],
  habits: [],
};
