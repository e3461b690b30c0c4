/** The GPUs of a run, of all that a host has. */

import type { GpuUse } from '../host/gpu.ts';
import { findDevices } from '../place/devices.ts';
import type { GpuLook } from '../pulse/look.ts';
import type { Run } from '../run/run.ts';

/** By its placement; of what has none (found, or its GPUs are not known) those on which its processes compute. null where none is known to be its own. */
export function gpusOf(
  { placement, tree }: Pick<Run, 'placement' | 'tree'>,
  host: string,
  gpus: readonly GpuUse[],
): readonly GpuLook[] | null {
  const own = new Set(tree.map(({ pid }) => pid));
  const placed = placement === null ? [] : findDevices(placement.devices, host, gpus);
  const uuids = typeof placed === 'string' ? [] : placed.map(({ gpu }) => gpu.uuid);
  const isOwn = ({ uuid, processes }: GpuUse): boolean =>
    uuids.length > 0 ? uuids.includes(uuid) : processes.some(({ pid }) => own.has(pid));
  const looks = gpus
    .filter(isOwn)
    .map(({ uuid, index, usedMib, utilization }): GpuLook => ({ uuid, index, usedMib, utilization }));
  return looks.length === 0 ? null : looks;
}
