/** The phases with their times: when each was first seen, and how long it was until the next. */

import { duration } from '../report/duration.ts';
import { PHASE_WORDS } from '../report/phase-words.ts';
import type { ReadLog } from './read-log.ts';
import type { Mark } from './timeline.ts';
import { columns } from './wrap.ts';

/** In the order of the file, the end of the log last; nothing without any phase. Logs without times have line numbers only; `~` is the time of a line above. */
export function phaseLines({ marks, lines, end }: Pick<ReadLog, 'marks' | 'lines' | 'end'>): string[] {
  if (marks.length === 0) return [];
  const rows = marks.map((mark, index) => [
    `${mark.isTargets ? '  target: ' : ''}${PHASE_WORDS[mark.phase]}`,
    `line ${mark.line}`,
    timeOf(mark),
    lasted(mark, marks[index + 1] ?? end),
  ]);
  return columns([...rows, ['End of the log', `line ${lines}`, timeOf(end), '']], '  ');
}

function timeOf({ stamp, isNear }: Pick<Mark, 'stamp' | 'isNear'>): string {
  return stamp === null ? '' : `${isNear ? '~' : ''}${stamp}`;
}

/**
 * Clocks of several processes and hosts differ: what looks like less than nothing is not told, nor what is measured between two lines
 * that have the same time from a line above.
 */
function lasted({ moment }: Mark, next: Pick<Mark, 'moment' | 'isNear'>): string {
  if (moment === null || next.moment === null || next.moment < moment) return '';
  if (next.moment === moment && next.isNear) return '';
  return next.moment === moment ? 'for less than 1 s' : `for ${duration((next.moment - moment) * 1000)}`;
}
