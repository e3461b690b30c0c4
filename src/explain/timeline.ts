/** When each phase was first seen: a fold over the events beside the reading's own. */

import type { LogEvent, LogPhase } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';

export interface Mark {
  readonly phase: LogPhase;
  readonly line: number;
  /** `11-30 07:41:56`, `07:41:56`, or null. */
  readonly stamp: string | null;
  /** The time is that of a line above: this one has none. */
  readonly isNear: boolean;
  /** Seconds on the scale of the log's other marks, or null. */
  readonly moment: number | null;
  /** Of a training: its target server's own phase. */
  readonly isTargets: boolean;
}

/** The marks after an event: those of the last start in the file, without phases that turned out to be none. */
export function addMarks(
  marks: readonly Mark[],
  {
    before,
    after,
    event,
    when,
  }: {
    readonly before: Reading;
    readonly after: Reading;
    readonly event: LogEvent;
    when(): Pick<Mark, 'stamp' | 'moment' | 'isNear'>;
  },
): readonly Mark[] {
  if (event.kind === 'start') return [];
  if (before.phases === after.phases && before.targetPhases === after.targetPhases) return marks;
  const kept = marks.filter(({ phase, isTargets }) => phasesOf(after, isTargets).includes(phase));
  const added = [false, true].flatMap((isTargets) =>
    phasesOf(after, isTargets)
      .filter((phase) => !kept.some((mark) => mark.phase === phase && mark.isTargets === isTargets))
      .map((phase) => ({ phase, line: event.line, isTargets, ...when() })),
  );
  return [...kept, ...added];
}

function phasesOf({ phases, targetPhases }: Reading, isTargets: boolean): readonly LogPhase[] {
  return isTargets ? targetPhases : phases;
}
