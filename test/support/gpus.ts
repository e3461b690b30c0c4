import type { GpuProcess } from '../../src/host/gpu.ts';

export { gpuUse as gpu } from '../../src/check/samples.ts';

/** Bob's, on a GPU that nobody has reserved. */
export function stranger(changes: Partial<GpuProcess> = {}): GpuProcess {
  return { pid: 4242, command: 'python train.py', usedMib: 20_000, user: 'bob', since: 5000, run: null, ...changes };
}
