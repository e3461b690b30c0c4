import { openSync } from 'node:fs';
import { join } from 'node:path';

/** The indexes that CUDA_VISIBLE_DEVICES lists; empty where it is not set or names devices by UUID: then all are seen. */
export function visibleDevices() {
  const words = (process.env.CUDA_VISIBLE_DEVICES ?? '').split(',').map((word) => word.trim());
  return words.every((word) => /^\d+$/.test(word)) ? words.map(Number) : [];
}

/** A process that computes has the driver's device open: the descriptor of the host's stand-in for it. */
export function openDevice(folder) {
  return openSync(join(folder, 'dev', 'nvidiactl'), 'r');
}
