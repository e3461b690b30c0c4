/** After Redis lost data: the hosts' run folders say which runs of this instance live, and those are taken up again. */

import { isHostError } from '../errors.ts';
import type { Started } from '../host/launch.ts';
import { begunByHand } from '../patrol/found-run.ts';
import type { Tools } from '../processor.ts';
import { isFound } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { newRun, stepAll } from '../run/step.ts';
import type { Host } from '../tools.ts';
import { folderOf } from './folder.ts';
import { type Note, readNote } from './note.ts';
import { observedNow } from './now.ts';
import { observe } from './write.ts';

/** Looks at every host that was not looked at since Redis was empty; one that can't be asked is left for the next time. */
export async function adoptAll(tools: Tools, signal: AbortSignal): Promise<readonly string[]> {
  const found = await Promise.all(Object.keys(tools.config.hosts).map((name) => adoptOn(name, tools, signal)));
  return found.flat();
}

/** Ids of the runs that were taken up; none where the host was looked at before, or can't be asked. */
export async function adoptOn(name: string, tools: Tools, signal: AbortSignal): Promise<readonly string[]> {
  if (await tools.journal.isSurveyed(name)) return [];
  const host = tools.hosts.get(name);
  const adopted: string[] = [];
  try {
    for (const id of await host.runs(signal)) {
      if ((await tools.journal.load(id)) === null && (await adopt({ id, host, tools, signal }))) adopted.push(id);
    }
    await tools.journal.markSurveyed(name);
  } catch (error) {
    if (!isHostError(error)) throw error;
    tools.log.warn({ host: name, err: error }, 'a host could not be asked for runs that Redis lost');
  }
  return adopted;
}

async function adopt(work: { id: string; host: Host; tools: Tools; signal: AbortSignal }): Promise<boolean> {
  const { id, host, tools, signal } = work;
  const { config, clock, journal, log } = tools;
  const { request, started, isAlive } = await host.recall(folderOf(config, { host: host.name, id }), signal);
  if (started === null || !isAlive) return false;
  const kept = request === null ? null : readNote(request);
  if (kept === null || kept.request.id !== id) {
    log.warn({ run: id, host: host.name }, 'a live run folder without a readable request: left alone');
    return false;
  }
  const now = clock.now();
  const run = isFound(kept)
    ? begunByHand(kept.request, { started, tree: [started.main], heard: now, now })
    : launched(kept, started, now);
  if (!(await journal.adopt({ ...run, adoptedAt: now }, kept.home, null))) return false;
  const text = 'Redis had lost its data. This run was found alive on its host and is watched again.';
  await observe(journal, id, () => [observedNow(clock, { kind: 'notice', text })]);
  return true;
}

function launched({ request, placement }: Note, started: Started, now: number): Run {
  const { run } = stepAll(newRun(request), [
    { kind: 'placed', placement, at: now, seen: now },
    { kind: 'attempting', at: now, seen: now },
    { kind: 'launched', started, at: started.at, seen: now },
  ]);
  return run;
}
