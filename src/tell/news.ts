/** Which events are still worth a message of their own, and which of them can't wait. */

import type { Run, RunEvent } from '../run/run.ts';

/** What is told this much later than it happened is no news any more: the card has it. */
const OLD_NEWS_MS = 120_000;
/** After this long a run that was adopted has caught up with its log. */
const CATCH_UP_MS = 60_000;

const PROGRESS: readonly RunEvent['kind'][] = ['launched', 'phase', 'target_phase'];
const START_UP: readonly RunEvent['kind'][] = [...PROGRESS, 'ready', 'unverified', 'training'];

/** Ends, what a person must look at, and what somebody waits for. */
const URGENT: readonly RunEvent['kind'][] = [
  ...(['ready', 'unusable', 'unverified', 'finished', 'failed', 'stopping', 'stopped', 'lost'] as const),
  ...(['engine_dead', 'hang', 'trouble', 'target_down', 'log_asked'] as const),
];

/** Progress that is old by now (our clock, ms): after an outage the card tells it, not one message a phase. A run that Redis had lost is read from its log's start again: what its thread knows is not said a second time. */
export function isOldNews(event: RunEvent, { adoptedAt }: Run, now: number): boolean {
  const isLate = event.seen - event.at > OLD_NEWS_MS || now - event.seen > OLD_NEWS_MS;
  if (isLate && PROGRESS.some((kind) => kind === event.kind)) return true;
  const isStartUp = START_UP.some((kind) => kind === event.kind);
  return adoptedAt !== null && isStartUp && event.seen < adoptedAt + CATCH_UP_MS;
}

export function isUrgent({ kind }: RunEvent): boolean {
  return URGENT.some((urgent) => urgent === kind);
}
