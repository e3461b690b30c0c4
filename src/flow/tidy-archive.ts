/** The history's upkeep: old runs are taken in a few at a time; once an hour what is beyond the limits goes. */

import type { Tools } from '../processor.ts';

export async function tidyArchive({ archive, timings, log }: Tools, signal: AbortSignal): Promise<void> {
  const taken = await archive.catchUp();
  if (taken > 0) log.info({ runs: taken }, 'runs that ended before there was a history were taken into it');
  if (signal.aborted || !(await archive.takePruning(timings.prune))) return;
  const removed = await archive.prune();
  if (removed > 0) log.info({ runs: removed }, 'what is kept of runs that ended long ago was removed');
}
