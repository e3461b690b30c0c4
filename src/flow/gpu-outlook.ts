/** Which GPUs a launch would get now, or what of Vigil's and of others' is in its way: for a dry run, which takes nothing. */

import type { Line } from '../line.ts';
import { place } from '../place/place.ts';
import { holderSentence } from '../report/holders.ts';
import type { Placement } from '../run/holder.ts';
import type { Request } from '../run/request.ts';
import type { Host } from '../tools.ts';

export interface GpuOutlook {
  /** null where it gets none now, or where nobody can see which. */
  readonly placement: Placement | null;
  /** Sentences for people. */
  readonly obstacles: readonly string[];
}

export async function gpuOutlook(
  request: Request,
  { host, line }: { readonly host: Host; readonly line: Line },
  signal: AbortSignal,
): Promise<GpuOutlook> {
  const [stand, gpus] = await Promise.all([line.read(host.name), host.gpus(signal)]);
  const placing = place(request, stand, gpus);
  if (placing.kind === 'impossible') return { placement: null, obstacles: [placing.reason] };
  if (placing.kind === 'blocked') {
    const waiting = placing.ahead.map(
      ({ name, recipe }) => `\`${name}\` (${recipe}) waits for the same and comes first.`,
    );
    return { placement: null, obstacles: [...placing.holders.map(holderSentence), ...waiting] };
  }
  const { devices, gpuHolds: holds } = placing;
  return { placement: devices === null ? null : { devices, holds, freeAt: null }, obstacles: [] };
}
