/** What is taken to be so of the process where nobody said whether it lives: what the log alone proves. */

import { judge } from '../diagnosis/judge.ts';
import type { Evidence } from '../diagnosis/judgement.ts';
import type { Trouble } from '../log/events.ts';
import { isBar } from '../log/speaker.ts';
import { isWorthlessRecord } from '../log/troubles.ts';
import type { ReadLog } from './read-log.ts';

const LIVES: Evidence = { alive: true, exitCode: null };
const ENDED: Evidence = { alive: false, exitCode: null };

/** An answer to a client, or tokens that were made: a server prints them that works. */
const WORKS = /"POST [^"]{1,200}" 200|throughput: (?!0\.0 )\d/;

/**
 * Ended: the trainer's own end, an orderly shut-down, or a failure behind which nothing goes on. Bad requests of clients, losses that
 * are no numbers and downloads that stand still end no process; a log that just stops is one of a process that goes on.
 */
export function assume(log: Pick<ReadLog, 'reading' | 'lifeLine' | 'lines' | 'tail'>): Evidence {
  const { verdict, cause } = judge(log.reading, ENDED);
  if (verdict === 'finished' || verdict === 'stopped') return ENDED;
  if (cause === null) return LIVES;
  const fatal = log.reading.troubles.filter((trouble) => !isLivedWith(trouble));
  const last = Math.max(...fatal.map(({ line, traceback }) => Math.max(line, traceback?.last ?? 0)));
  return log.lifeLine > last || worksAfter(last, log) ? LIVES : ENDED;
}

function isLivedWith(trouble: Trouble): boolean {
  return isWorthlessRecord(trouble) || (trouble.type === null && isBar(trouble.message));
}

/** The tail's last line is the file's last. */
function worksAfter(line: number, { tail, lines }: Pick<ReadLog, 'lines' | 'tail'>): boolean {
  return tail.some((text, index) => lines - tail.length + 1 + index > line && WORKS.test(text));
}
