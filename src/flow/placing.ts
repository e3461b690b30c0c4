/** Giving a run what it needs, once it can have it. */

import type { Entry } from '../journal.ts';
import { type GpusSeen, type Placing, place, type Stand } from '../place/place.ts';
import type { Tools } from '../processor.ts';

/** 'again' = somebody else came first, or the run has changed: look once more. */
export type Placed = 'taken' | 'again' | Exclude<Placing, { kind: 'free' }>;

/** `stand.line`: those that wait before it. */
export async function placeRun(
  entry: Entry,
  { stand, seen, tools }: { stand: Stand; seen: GpusSeen; tools: Pick<Tools, 'line' | 'clock'> },
): Promise<Placed> {
  const { request } = entry.run;
  const placing = place(request, stand, seen);
  if (placing.kind !== 'free') return placing;
  const devices = placing.devices ?? (typeof request.gpus === 'number' ? null : request.gpus);
  const at = tools.clock.now();
  const freeAt = Array.isArray(seen) ? at : null;
  const verdict = await tools.line.take(entry, {
    placement: devices === null ? null : { devices, holds: placing.gpuHolds, freeAt },
    holds: placing.holds,
    past: stand.line.map(({ party }) => party.run),
    at,
  });
  return verdict === 'taken' ? 'taken' : 'again';
}
