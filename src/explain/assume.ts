/** What is taken to be so of the process where nobody said whether it lives: what the log alone proves. */

import { judge } from '../diagnosis/judge.ts';
import type { Evidence } from '../diagnosis/judgement.ts';
import { recogniseAll } from '../diagnosis/recognise-all.ts';
import type { Trouble } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import { isBar } from '../log/speaker.ts';
import { isWorthlessRecord } from '../log/troubles.ts';
import type { ReadLog } from './read-log.ts';

const LIVES: Evidence = { alive: true, exitCode: null };
const ENDED: Evidence = { alive: false, exitCode: null };
/** By a TERM or INT that the log shows: nothing else ends a process as Python's KeyboardInterrupt. */
const ASKED_TO_END: Evidence = { alive: false, exitCode: -15 };

/** An answer to a client, or tokens that were made: a server prints them that works. */
const WORKS = /"POST [^"]{1,200}" 200|throughput: (?!0\.0 )\d/;

/** The outermost frame of a server's own program. */
const PROGRAM =
  /^ {0,8}File "(?:<frozen runpy>|\S{0,300}\/(?:bin\/\w{1,40}|runpy\.py|__main__\.py|cli\/main\.py|api_server\.py|launch_server\.py))", line \d/;

/**
 * Ended: the trainer's own end, an orderly shut-down, or a failure behind which nothing goes on. Bad requests of clients, losses that
 * are no numbers and downloads that stand still end no process; a log that just stops is one of a process that goes on.
 */
export function assume(log: Pick<ReadLog, 'reading' | 'lifeLine' | 'lines' | 'tail'>): Evidence {
  const { reading } = log;
  const { verdict, cause } = judge(reading, ENDED);
  if (verdict === 'finished' || verdict === 'stopped') return ENDED;
  if (cause === null || (goesOn(log) && !isOver(reading))) return LIVES;
  return isStopped(reading) ? ASKED_TO_END : ENDED;
}

/** Work behind the last failure. */
function goesOn(log: Parameters<typeof assume>[0]): boolean {
  const fatal = log.reading.troubles.filter((trouble) => !isLivedWith(trouble));
  const last = Math.max(...fatal.map(({ line, traceback }) => Math.max(line, traceback?.last ?? 0)));
  return log.lifeLine > last || worksAfter(last, log);
}

/** Who still prints behind it ends as well: a trainer saves, workers draw their bars. */
function isOver({ kind, troubles, readyLine, shutdownLine }: Reading): boolean {
  if (shutdownLine !== null) return true;
  return kind === 'serve' && readyLine === null && troubles.some(isRaisedThrough);
}

/** An exception that nothing in the program caught. */
function isRaisedThrough({ traceback }: Trouble): boolean {
  return PROGRAM.test(traceback?.text.find((line) => line.trimStart().startsWith('File ')) ?? '');
}

function isStopped(reading: Reading): boolean {
  const isAsked = recogniseAll(reading).some(({ followUp }) => followUp?.isStop === true);
  return isAsked && judge(reading, ASKED_TO_END).verdict === 'stopped';
}

function isLivedWith(trouble: Trouble): boolean {
  return isWorthlessRecord(trouble) || (trouble.type === null && isBar(trouble.message));
}

/** The tail's last line is the file's last. */
function worksAfter(line: number, { tail, lines }: Pick<ReadLog, 'lines' | 'tail'>): boolean {
  return tail.some((text, index) => lines - tail.length + 1 + index > line && WORKS.test(text));
}
