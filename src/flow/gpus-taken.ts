/** GPUs that others compute on, told when a run was about to start on them. */

import type { Checklist } from '../check/check.ts';
import type { GpuUse } from '../host/gpu.ts';
import { findDevices } from '../place/devices.ts';
import { othersOn } from '../place/others.ts';
import { useOf } from '../place/place.ts';
import type { Taken } from '../run/holder.ts';
import type { Request } from '../run/request.ts';

export interface Obstacle {
  readonly reason: string;
  readonly taken?: Taken;
  /** All that was checked, where a check is the obstacle. */
  readonly checks?: Checklist;
}

/** Why a run can't start on these devices, or null; also null where nvidia-smi can't be asked. `freeAt`: when they were seen free, or null. */
export function gpusTaken(
  {
    host,
    kind,
    argv,
    devices,
    freeAt,
  }: Pick<Request, 'host' | 'kind' | 'argv'> & { devices: readonly string[]; freeAt: number | null },
  gpus: readonly GpuUse[] | null,
): Obstacle | null {
  if (gpus === null) return null;
  const found = findDevices(devices, host, gpus);
  if (typeof found === 'string') return { reason: `${found} Nothing was started.` };
  const holders = found.flatMap((device) => othersOn(device, useOf({ kind, argv })));
  if (holders.length === 0) return null;
  const which = [...new Set(holders.flatMap(({ what }) => what))].join(' and ');
  const lost = freeAt === null ? '' : ' meanwhile';
  return {
    reason: `${which} of ${host} ${which.includes(' and ') ? 'are' : 'is'} in use by others${lost}. Nothing was started.`,
    taken: { freeAt, holders },
  };
}
