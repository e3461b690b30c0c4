/** How much of a GPU's memory a server claims: `--gpu-memory-utilization`. */

import { lastFlag } from '../config/flags.ts';
import type { GpuUse } from '../host/gpu.ts';
import type { Server } from './subject.ts';

/** vLLM's default (config/cache.py), and that from about 0.21 on (vllm-project/vllm#38284). */
const DEFAULT_SHARE = 0.9;
export const LATER_SHARE = 0.92;

export function shareOf({ argv }: Pick<Server, 'argv'>): { readonly value: number; readonly isDefault: boolean } {
  const value = Number(lastFlag(argv, '--gpu-memory-utilization')?.value);
  return value > 0 && value <= 1 ? { value, isDefault: false } : { value: DEFAULT_SHARE, isDefault: true };
}

/** MiB that CUDA has to give: the driver keeps some of the total for itself, which counts neither as used nor as free. */
export function usableMib({ totalMib, usedMib, freeMib }: GpuUse): number | null {
  return usedMib === null || freeMib === null ? totalMib : usedMib + freeMib;
}
