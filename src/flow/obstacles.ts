/** What stands in the way of a start on the host, looked at when nothing but the start is left to do. */

import { list } from '../list.ts';
import type { Tools } from '../processor.ts';
import type { Holder } from '../run/holder.ts';
import type { Request } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import type { Host } from '../tools.ts';
import { gpusTaken, type Obstacle } from './gpus-taken.ts';
import { placeRun } from './placing.ts';
import { portTaken } from './port-taken.ts';

/** So many times somebody else may come first between a look and a taking. */
const TRIES = 20;

interface Look {
  readonly host: Host;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/**
 * A port that is open already, GPUs that others compute on; the log is looked at by the launcher. Last of all the GPUs, since others come to them
 * at any moment: from this look to the start is not long.
 */
export async function obstacleOn(id: string, look: Look): Promise<Obstacle | null> {
  const { host, tools, signal } = look;
  const entry = await tools.journal.load(id);
  if (entry === null) return null;
  const { address } = entry.run.request;
  const listener = address === null ? null : await host.listener(address, signal);
  if (address !== null && listener !== null && listener.kind !== 'closed')
    return { reason: portTaken({ address, host: host.name }, listener) };
  return takenOf(entry.run, look);
}

async function takenOf({ request, placement }: Run, { host, signal }: Look): Promise<Obstacle | null> {
  if (placement === null || request.forcedBy !== undefined) return null;
  const { kind, argv } = request;
  const { devices, freeAt } = placement;
  return gpusTaken({ host: host.name, kind, argv, devices, freeAt }, await host.gpus(signal));
}

/** Gives a run its GPUs that was accepted before anybody could look at the host: why it gets none, or null where it has them. */
export async function placeOn(id: string, { host, tools, signal }: Look): Promise<Obstacle | null> {
  for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
    const entry = await tools.journal.load(id);
    if (entry === null || entry.run.placement !== null) return null;
    const stand = { ...(await tools.line.read(host.name, id)), line: [] };
    const placed = await placeRun(entry, { stand, seen: await host.gpus(signal), tools });
    if (placed === 'taken') return null;
    if (placed === 'again') continue;
    if (placed.kind === 'impossible') return { reason: `${placed.reason} Nothing was started.` };
    return {
      reason: needsTaken(entry.run.request, placed.holders),
      taken: { freeAt: null, holders: placed.holders },
    };
  }
  signal.throwIfAborted();
  throw new Error(`what is held on ${host.name} changes faster than it can be read`);
}

function needsTaken({ host, gpus }: Request, holders: readonly Holder[]): string {
  const what = [...new Set(holders.flatMap((holder) => holder.what))];
  const asked =
    typeof gpus === 'number' ? `It needs ${gpus === 1 ? 'a free GPU' : `${gpus} free GPUs`} of ${host}: ` : '';
  return `${asked}${list(what)} ${what.length === 1 ? 'is' : 'are'} in use. Nothing was started.`;
}
