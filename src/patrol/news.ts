/** Which logs of a host have something in them that is no history. */

import type { PatrolFile, PatrolView } from '../host/log.ts';
import type { NotedLog, Notes } from '../journal.ts';

export interface News {
  /** Byte from which on it is no history. */
  readonly from: number;
  /** It appeared or grew between two looks: somebody writes it, whether seen or not. */
  readonly isGrowing: boolean;
}

/** What was written while nobody looked for longer than this is history (ms). */
const FRESH_MS = 3_600_000;
/** A log that nobody has written to for this long, when it is first seen, is silent (ms). */
const SILENT_MS = 120_000;

export interface Seen {
  readonly file: PatrolFile;
  /** What was known of this very file, under whatever name; null where it is a new one, or was written anew. */
  readonly known: NotedLog | null;
  readonly news: News | null;
}

/** Of a first look only what is being written to is news; later all that changed since. */
export function sortFiles({ now, files }: PatrolView, notes: Notes | null): Seen[] {
  const byInode = new Map([...(notes?.logs.values() ?? [])].map((log) => [`${log.device} ${log.inode}`, log]));
  return files.map((file) => {
    const under = notes?.logs.get(file.path);
    const moved = byInode.get(`${file.device} ${file.inode}`);
    const known = [under, moved].find((log) => log !== undefined && isSame(file, log)) ?? null;
    const isReplaced = known === null && under !== undefined;
    return { file, known, news: newsOf({ file, known, isReplaced }, now, notes) };
  });
}

/** What is to be remembered of a file; `history` = bytes that are done with. */
export function notedAs({ file, known }: Seen, history: number, isOurs: boolean): NotedLog {
  const { device, inode, size } = file;
  const head = file.head ?? known?.head ?? { sum: '', summed: 0 };
  return { device, inode, size, history, head, isOurs };
}

function newsOf(
  { file, known, isReplaced }: Pick<Seen, 'file' | 'known'> & { isReplaced: boolean },
  now: number,
  notes: Notes | null,
): News | null {
  const isRecent = now - file.modified < FRESH_MS;
  if (known !== null) {
    const hasGrown = file.size > known.size && isRecent;
    return hasGrown ? { from: known.history, isGrowing: true } : null;
  }
  if (notes === null) return now - file.modified < SILENT_MS ? { from: 0, isGrowing: false } : null;
  const isNew = isReplaced || file.modified > notes.at - SILENT_MS;
  return isNew && isRecent ? { from: 0, isGrowing: true } : null;
}

/** The same file with the same beginning, and not shorter than it was. */
function isSame(file: PatrolFile, known: NotedLog): boolean {
  if (file.device !== known.device || file.inode !== known.inode || file.size < known.size) return false;
  const { head } = file;
  // A beginning of another length can't be compared; it has only grown.
  return head === null || head.summed !== known.head.summed || head.sum === known.head.sum;
}
