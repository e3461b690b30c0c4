/** Which logs belong to runs that Vigil knows: those are told by their own threads. */

import type { PatrolFile } from '../host/log.ts';
import type { Pid } from '../host/process.ts';
import type { Entry, Journal } from '../journal.ts';
import { holds } from '../pids.ts';
import { targetLogOf } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';

/** A run as far as it matters here, and where its logs were read last. */
export type Known = Pick<Entry, 'run' | 'checkpoint'>;

/** The live runs of a host. */
export async function runsOn(host: string, journal: Journal): Promise<Known[]> {
  const entries = await Promise.all((await journal.live()).map((id) => journal.load(id)));
  return entries.flatMap((entry) => (entry === null || entry.run.request.host !== host ? [] : [entry]));
}

/** A live run owns its logs, by path or by what the file is. What it wrote stays its own afterwards, by what the patrol noted of the file. */
export function ownsLog(
  { run, checkpoint }: Known,
  { path, device, inode }: Pick<PatrolFile, 'path' | 'device' | 'inode'>,
): boolean {
  if (isEnd(run.phase)) return false;
  const read = [checkpoint, checkpoint?.target].map((mark) => mark?.position.generation);
  const isRead = read.some((generation) => generation?.device === device && generation.inode === inode);
  return isRead || logsOf(run).includes(path);
}

/** One of the run's processes writes it: a second log of the same training, or the first one under another name. */
export function ownsWriter({ run }: Known, writers: readonly Pid[]): boolean {
  if (isEnd(run.phase) || run.started === null) return false;
  const own = [run.started.main, ...run.tree];
  return writers.some((writer) => holds(own, writer));
}

function logsOf({ request, started }: Run): readonly string[] {
  const log = started?.log ?? request.log;
  const target = targetLogOf(request);
  if (target === null || !target.startsWith('~/')) return [log, target].filter((path) => path !== null);
  // Where the SSH user's home is shows in the log that the launcher resolved, if that one began there, too.
  const tail = request.log?.startsWith('~/') ? request.log.slice(1) : null;
  const home = tail !== null && log?.endsWith(tail) ? log.slice(0, -tail.length) : null;
  return [log, home === null ? null : home + target.slice(1)].filter((path) => path !== null);
}
