/** What a run needs for itself alone on its host, in the words that holds are written down with. */

import { addressWords } from '../address.ts';
import type { GpuUse } from '../host/gpu.ts';
import { isFound, type Request, targetLogOf } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { findDevices, holdOfName, holdsOfDevice } from './devices.ts';

/** Some GPUs, whichever: collides with every GPU. */
const ANY_GPU = 'GPU *';

/** All of it, its GPUs by as many names as the look at the host tells (null: none was had). What somebody started by hand needs nothing. */
export function needsOf(request: Request, gpus: readonly GpuUse[] | null): readonly string[] {
  if (isFound({ request })) return [];
  const named = typeof request.gpus === 'number' ? [ANY_GPU] : namedHolds(request.gpus, request.host, gpus);
  return [...placesOf(request), ...named];
}

/** What a live run holds. */
export function holdsOf({ request, placement }: Pick<Run, 'request' | 'placement'>): readonly string[] {
  if (isFound({ request })) return [];
  const named = typeof request.gpus === 'number' ? [] : request.gpus.map(holdOfName);
  return [...placesOf(request), ...(placement?.holds ?? named)];
}

/** Port or socket, and logs. */
export function placesOf(request: Request): readonly string[] {
  const { address, log } = request;
  const logs = [log, targetLogOf(request)].filter((path) => path !== null);
  return [...(address === null ? [] : [addressWords(address)]), ...logs.map((path) => `log ${path}`)];
}

/** Whether two runs can't be on the host at once. */
export function collide(some: readonly string[], others: readonly string[]): boolean {
  if (some.includes(ANY_GPU) && others.some(isGpu)) return true;
  if (others.includes(ANY_GPU) && some.some(isGpu)) return true;
  return some.some((word) => others.includes(word));
}

/** A name that means nothing there is told when it comes to placing it. */
function namedHolds(names: readonly string[], host: string, gpus: readonly GpuUse[] | null): readonly string[] {
  const devices = gpus === null ? '' : findDevices(names, host, gpus);
  return typeof devices === 'string' ? names.map(holdOfName) : devices.flatMap(holdsOfDevice);
}

function isGpu(word: string): boolean {
  return word.startsWith('GPU ') || word.startsWith('uuid ');
}
