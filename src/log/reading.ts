/** What a log has said so far, folded from its events. Plain data: it is part of the run in the journal. */

import type { FactValue, LogEvent, Progress, ServeLogPhase, Trouble } from './events.ts';

export interface Reading {
  /** In order of first sight, of the last start in the file. */
  readonly phases: readonly ServeLogPhase[];
  readonly progress: Progress | null;
  readonly facts: Readonly<Record<string, FactValue>>;
  /** Failures in the order of the file, bounded. */
  readonly troubles: readonly Trouble[];
  /** How many API servers said that their start-up is complete. */
  readonly readyServers: number;
  readonly isShuttingDown: boolean;
}

export const EMPTY_READING: Reading = {
  phases: [],
  progress: null,
  facts: {},
  troubles: [],
  readyServers: 0,
  isShuttingDown: false,
};

/** The reading after one more event. */
export function addEvent(reading: Reading, event: LogEvent): Reading {
  void event;
  return reading;
}
