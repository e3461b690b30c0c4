import type { GpuProcess, GpuUse } from '../../src/host/gpu.ts';

/** A whole, idle GPU of 48 GiB, as nvidia-smi tells of it. */
export function gpu(index: number, changes: Partial<GpuUse> = {}): GpuUse {
  return {
    index: String(index),
    uuid: `GPU-${index}${index}${index}${index}aaaa-0000-0000-0000-000000000000`,
    name: 'NVIDIA RTX A6000',
    totalMib: 49_140,
    usedMib: 3,
    freeMib: 48_674,
    utilization: 0,
    isMig: false,
    migs: [],
    processes: [],
    ...changes,
  };
}

/** Bob's, on a GPU that nobody has reserved. */
export function stranger(changes: Partial<GpuProcess> = {}): GpuProcess {
  return { pid: 4242, command: 'python train.py', usedMib: 20_000, user: 'bob', since: 5000, run: null, ...changes };
}
