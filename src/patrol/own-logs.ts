/** Which logs belong to runs that Vigil knows: those are told by their own threads. */

import { isEnd, type Run } from '../run/run.ts';
import type { News } from './news.ts';

/** A process's last lines may come a moment after its end was seen (ms). */
const LAST_LINES_MS = 15_000;

/** A live run owns its logs; an ended one what was written to them before its end, unless the file was written anew. */
export function ownsLog(run: Run, { file, isContinued }: Pick<News, 'file' | 'isContinued'>): boolean {
  if (!logsOf(run).some((log) => isPath(file.path, log))) return false;
  if (!isEnd(run.phase)) return true;
  const end = run.visits.at(-1)?.at ?? run.seenAt;
  return isContinued && file.modified <= end + LAST_LINES_MS;
}

function logsOf({ request, started }: Run): readonly string[] {
  const target = request.kind === 'train' ? request.targetLog : null;
  return [request.log, started?.log ?? null, target].filter((log) => log !== null);
}

/** A log below `~/` is known by its end only. */
function isPath(path: string, log: string): boolean {
  return log.startsWith('~/') ? path.endsWith(log.slice(1)) : path === log;
}
