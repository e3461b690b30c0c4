/** After Redis lost data: the hosts' run folders say which runs of this instance live, and those are taken up again. */

import { CommandFailed, HostRefused, HostUnreachable } from '../errors.ts';
import type { Tools } from '../processor.ts';
import { newRun, stepAll } from '../run/step.ts';
import type { Host } from '../tools.ts';
import { readNote } from './note.ts';

/** Looks at every host that was not looked at since Redis was empty; one that can't be asked is left for the next time. */
export async function adoptAll(tools: Tools, signal: AbortSignal): Promise<readonly string[]> {
  const found = await Promise.all(Object.keys(tools.config.hosts).map((name) => adoptOn(name, tools, signal)));
  return found.flat();
}

async function adoptOn(name: string, tools: Tools, signal: AbortSignal): Promise<readonly string[]> {
  if (await tools.journal.isSurveyed(name)) return [];
  const host = tools.hosts.get(name);
  const adopted: string[] = [];
  try {
    for (const id of await host.runs(signal)) {
      if ((await tools.journal.load(id)) === null && (await adopt({ id, host, tools, signal }))) adopted.push(id);
    }
    await tools.journal.markSurveyed(name);
  } catch (error) {
    const isHosts = [HostUnreachable, HostRefused, CommandFailed].some((kind) => error instanceof kind);
    if (!isHosts) throw error;
    tools.log.warn({ host: name, err: error }, 'a host could not be asked for runs that Redis lost');
  }
  return adopted;
}

async function adopt(work: { id: string; host: Host; tools: Tools; signal: AbortSignal }): Promise<boolean> {
  const { id, host, tools, signal } = work;
  const { config, clock, journal, log } = tools;
  const stateDir = config.hosts[host.name]?.stateDir ?? '';
  const {
    request: text,
    started,
    isAlive,
  } = await host.recall({ path: `${stateDir}/${config.instance}/${host.name}/${id}`, run: id }, signal);
  if (started === null || !isAlive) return false;
  const kept = text === null ? null : readNote(text);
  if (kept === null || kept.request.id !== id) {
    log.warn({ run: id, host: host.name }, 'a live run folder without a readable request: left alone');
    return false;
  }
  const now = clock.now();
  const { run } = stepAll(newRun(kept.request), [
    { kind: 'attempting', at: now, seen: now },
    { kind: 'launched', started, at: started.at, seen: now },
  ]);
  return journal.adopt(run, kept.home);
}
