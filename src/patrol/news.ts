/** Which logs of a host have something in them that is no history. */

import type { NotedLog, Notes } from '../journal.ts';
import type { PatrolFile, PatrolView } from '../tools.ts';

export interface News {
  readonly file: PatrolFile;
  /** Byte from which on it is no history. */
  readonly from: number;
  /** It appeared or grew between two looks: somebody writes it, whether seen or not. */
  readonly isGrowing: boolean;
  /** The log that was known under this name, unless it was written anew. */
  readonly isContinued: boolean;
}

/** What was written while nobody looked for longer than this is history (ms). */
const FRESH_MS = 3_600_000;
/** A log that nobody has written to for this long, when it is first seen, is silent (ms). */
const SILENT_MS = 120_000;

/** Of a first look only what is being written to; later all that changed since. */
export function newsOf({ now, files }: PatrolView, notes: Notes | null): News[] {
  return files.flatMap((file): News[] => {
    const known = notes?.logs.get(file.path);
    if (known === undefined) return isFresh(file, now, notes) ? [{ ...unknown(file), isGrowing: notes !== null }] : [];
    if (!isSame(file, known)) return isRecent(file, now) ? [{ ...unknown(file), isGrowing: true }] : [];
    if (file.size === known.size || !isRecent(file, now)) return [];
    return [{ file, from: known.history, isGrowing: true, isContinued: true }];
  });
}

/** What is to be remembered of a file; `history` = bytes that are done with. */
export function noteOf(file: PatrolFile, known: NotedLog | undefined, history: number): NotedLog {
  const { device, inode, size } = file;
  const head = file.head ?? known?.head ?? { sum: '', summed: 0 };
  return { device, inode, size, history, head };
}

/** The same file with the same beginning, and not shorter than it was. */
export function isSame(file: PatrolFile, known: NotedLog): boolean {
  if (file.device !== known.device || file.inode !== known.inode || file.size < known.size) return false;
  const { head } = file;
  // A beginning of another length can't be compared; it has only grown.
  return head === null || head.summed !== known.head.summed || head.sum === known.head.sum;
}

function unknown(file: PatrolFile): Pick<News, 'file' | 'from' | 'isContinued'> {
  return { file, from: 0, isContinued: false };
}

function isFresh(file: PatrolFile, now: number, notes: Notes | null): boolean {
  if (notes === null) return now - file.modified < SILENT_MS;
  return isRecent(file, now) && file.modified > notes.at - SILENT_MS;
}

function isRecent(file: PatrolFile, now: number): boolean {
  return now - file.modified < FRESH_MS;
}
