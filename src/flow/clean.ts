/** Once a day the folders of runs that ended long ago go from each host. */

import { isHostError } from '../errors.ts';
import type { Tools } from '../processor.ts';

/** A host that can't be asked has its next turn as late as the others: nothing is lost but disk space. */
export async function cleanAll(tools: Tools, signal: AbortSignal): Promise<void> {
  await Promise.all(Object.keys(tools.config.hosts).map((name) => cleanOn(name, tools, signal)));
}

async function cleanOn(name: string, { journal, hosts, config, timings, log }: Tools, signal: AbortSignal) {
  const days = config.hosts[name]?.keepRuns;
  if (signal.aborted || days === undefined || !(await journal.takeCleaning(name, timings.clean))) return;
  try {
    const removed = await hosts.get(name).clean({ days, keep: await journal.live() }, signal);
    if (removed > 0) log.info({ host: name, removed, days }, 'folders of runs that ended long ago were removed');
  } catch (error) {
    if (signal.aborted) return;
    if (!isHostError(error)) throw error;
    log.warn({ host: name, err: error }, 'old run folders could not be removed; they are looked at again tomorrow');
  }
}
