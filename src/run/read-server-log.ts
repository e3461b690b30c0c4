/** What new log events mean for a server's run: its reading, its phase, and what is worth telling. */

import type { TeamRow } from '../config/config.ts';
import type { LogEvent, LogPhase } from '../log/events.ts';
import { addEvent, type Reading } from '../log/reading.ts';
import { deathBefore } from './engine-death.ts';
import { enter, startAnew } from './enter.ts';
import type { Happening, Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { noteOf } from './phase-note.ts';
import type { Run } from './run.ts';
import { momentOf } from './stamp.ts';

/** Of a server that is started again and again, so many starts are told phase by phase. */
const RESTARTS_TOLD = 3;
const SECOND_MS = 1000;

/** A ready run, or one that is being stopped, tells no more phases; what stood in the log before it was found is told by its card alone. */
export function readServerLog(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  const read = readNews(run, seen, teamRows);
  return seen.isOld ? { run: read.run, happened: [] } : read;
}

function readNews(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  const earliest = run.started?.at ?? run.request.at;
  let current: Run = { ...run, heard: seen.at, seenAt: seen.at };
  const happened: Happening[] = [];
  for (const event of seen.events) {
    const before = current.reading;
    const reading = addEvent(before, event);
    current = { ...current, reading, progress: reading.progress };
    const at = momentOf(event.stamp, seen.clock, earliest) ?? seen.at;
    if (event.kind === 'start' && !seen.isOld && isAfterUp(current, at)) {
      happened.push(...deathBefore({ ...current, reading: before }, { at, seen: seen.seen, teamRows }));
      current = startAnew(current, at);
    }
    if (event.kind === 'start' && before.phases.length > 0) {
      // Of what was there before, only the last start counts.
      current = seen.isOld
        ? { ...current, visits: current.visits.slice(0, 1) }
        : { ...current, restarts: current.restarts + 1 };
      const text = restartWords(current.restarts);
      if (text !== null) happened.push({ at, seen: seen.seen, kind: 'notice', text });
    }
    const phase = newPhase(before, reading, event);
    // What answered when it was found has its way behind it.
    if (phase === null || (seen.isOld && run.request.found?.answered === true)) continue;
    current = enter(current, phase === 'ready' ? 'verifying' : phase, at);
    const isTold = current.restarts < RESTARTS_TOLD && current.phase !== 'ready' && run.stopBy === null;
    if (phase !== 'ready' && isTold)
      happened.push({ at, seen: seen.seen, kind: 'phase', phase, note: noteOf(phase, reading) });
  }
  return { run: current, happened };
}

/**
 * It was ready, or was found to complete nothing. A log that is read again from its beginning shows starts that were before. Stamps have whole
 * seconds.
 */
function isAfterUp({ phase, verification, stopBy, visits }: Run, at: number): boolean {
  if (stopBy !== null || (phase !== 'ready' && verification === null)) return false;
  const up = visits.findLast((visit) => visit.phase === (phase === 'ready' ? 'ready' : 'verifying'));
  return at > (up?.at ?? at) - SECOND_MS;
}

function restartWords(restarts: number): string | null {
  if (restarts < RESTARTS_TOLD) return `The log shows another start of the server, its number ${restarts + 1}.`;
  return restarts === RESTARTS_TOLD
    ? 'The server starts again and again; further starts are not told one by one.'
    : null;
}

/** The phase that this event showed for the first time in this start, or null. */
function newPhase(before: Reading, after: Reading, event: LogEvent): LogPhase | null {
  if (event.kind !== 'phase' && event.kind !== 'ready') return null;
  if (after.phases.length <= before.phases.length) return null;
  return after.phases.at(-1) ?? null;
}
