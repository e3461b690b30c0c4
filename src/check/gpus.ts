/** Which of the host's GPUs a server sees, and which of those it takes. */

import { lastFlag } from '../config/flags.ts';
import { isSpread } from '../config/sizes.ts';
import type { GpuUse } from '../host/gpu.ts';
import { type Device, deviceName, findDevices } from '../place/devices.ts';
import { ownWords } from './server.ts';
import type { Server, Subject } from './subject.ts';
import { isUnread } from './unread.ts';
import { list } from './words.ts';

/** Names, or how many where they aren't chosen. */
export function visibleTo(server: Server, { devices, recipe }: Subject): readonly string[] | number {
  return server.devices ?? devices ?? recipe.gpus;
}

/** GPUs that it takes on this node; null where several nodes share them, or a size is one that only the shell knows. */
export function takenBy(server: Server): number | null {
  const { sizes } = server;
  const words = ownWords(server);
  if (isSpread(words) || SIZE_FLAGS.some(([name, ...others]) => isUnread(server, name, ...others))) return null;
  // Such a node answers requests for the engines of others.
  if (lastFlag(words, '--data-parallel-size-local', '-dpl')?.value === '0') return 0;
  return sizes.reduce((product, { size }) => product * size, 1);
}

const SIZE_FLAGS = [
  ['--tensor-parallel-size', '-tp'],
  ['--pipeline-parallel-size', '-pp'],
  ['--prefill-context-parallel-size', '-pcp'],
  ['--data-parallel-size', '-dp', '--data-parallel-rank', '-dpn', '--data-parallel-size-local', '-dpl'],
] as const;

/** `4 = tensor 2 × data 2`, `2 (tensor 2)`, `1 GPU`. */
export function formula({ sizes }: Pick<Server, 'sizes'>): string {
  const product = sizes.reduce((so, { size }) => so * size, 1);
  const terms = sizes.map(({ flag, size }) => `${TERMS[flag] ?? flag} ${size}`);
  if (terms.length < 2) return terms.length === 0 ? '1 GPU' : `${product} (${terms.join()})`;
  return `${product} = ${terms.join(' × ')}`;
}

const TERMS: Readonly<Record<string, string>> = {
  '--tensor-parallel-size': 'tensor',
  '--pipeline-parallel-size': 'pipeline',
  '--prefill-context-parallel-size': 'prefill-context',
  '--data-parallel-size': 'data',
  '--data-parallel-size-local': 'local data',
};

/** The devices that it will compute on: the first ones that it sees. null where that can't be told, which another row says. */
export function devicesOf(server: Server, subject: Subject, gpus: readonly GpuUse[]): readonly Device[] | null {
  if (isUnread(server, 'CUDA_VISIBLE_DEVICES')) return null;
  const visible = visibleTo(server, subject);
  const taken = takenBy(server);
  if (typeof visible === 'number' || taken === null) return null;
  const devices = findDevices(visible, subject.host, gpus);
  return typeof devices === 'string' ? null : devices.slice(0, taken);
}

/** `GPU 0`, `GPUs 0 and 1`. */
export function gpuNames(devices: readonly Device[]): string {
  return `GPU${devices.length === 1 ? '' : 's'} ${list(devices.map(deviceName))}`;
}
