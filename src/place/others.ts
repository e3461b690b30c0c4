/** What others do on a device, and whether that keeps a run off it. Others are all who are no live run of this Vigil. */

import type { GpuUse } from '../host/gpu.ts';
import { shownCommand } from '../log/shown-command.ts';
import type { MemoryHolder, ProcessHolder } from '../run/holder.ts';
import { type Device, deviceName } from './devices.ts';

/**
 * In use on a GPU that nobody computes on, MiB: a display, the fabric manager, a context that a profiler left. Cards of 24 GiB and more show up
 * to some hundred; anything that has a model is far above. On large cards a twentieth, which no server's default share (0.9) misses.
 */
export const IDLE_MIB = 1024;
const IDLE_SHARE = 0.05;

/** What a run does with a device: a server takes its share of all the memory at once, a training as much as it comes to. */
export interface Use {
  /** --gpu-memory-utilization; null for a training. */
  readonly share: number | null;
}

/** Who keeps the run off a device that its recipe names; empty where nobody does. What a MIG device's neighbours do is their own business, and what is done on it nvidia-smi doesn't tell. */
export function othersOn(device: Device, { share }: Use): readonly (ProcessHolder | MemoryHolder)[] {
  const { gpu, mig } = device;
  if (mig !== null) return [];
  const { processes, totalMib, usedMib } = gpu;
  if (share === null) return processes.length > 0 || (usedMib ?? 0) > idleMib(gpu) ? holdersOf(device) : [];
  if (totalMib === null || usedMib === null) return processes.length > 0 ? holdersOf(device) : [];
  return usedMib + share * totalMib > totalMib ? holdersOf(device) : [];
}

/** Whether a GPU can be given to a run that takes any: nobody computes on it, and what is in use is little and leaves the run its share. */
export function isIdle(gpu: GpuUse, { share }: Use): boolean {
  if (gpu.isMig || gpu.processes.length > 0) return false;
  const spare =
    share === null || gpu.totalMib === null ? Number.POSITIVE_INFINITY : gpu.totalMib - share * gpu.totalMib;
  return (gpu.usedMib ?? 0) <= Math.min(idleMib(gpu), spare);
}

/** All who have something on the GPU: its processes, or where the host shows none the memory alone. */
export function holdersOf(device: Device): readonly (ProcessHolder | MemoryHolder)[] {
  const { processes, usedMib, totalMib } = device.gpu;
  const what = [`GPU ${deviceName(device)}`];
  if (processes.length === 0) return [{ kind: 'memory', what, usedMib: usedMib ?? 0, totalMib }];
  return processes.map(({ pid, command, user, since, run }) => ({
    kind: 'process',
    what,
    pid,
    command: shownCommand(command),
    user,
    since,
    run,
  }));
}

function idleMib({ totalMib }: GpuUse): number {
  return Math.max(IDLE_MIB, IDLE_SHARE * (totalMib ?? 0));
}
