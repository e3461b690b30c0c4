/** Which of the host's GPUs a server sees, and which of those it takes. */

import { lastFlag } from '../config/flags.ts';
import { isSpread } from '../config/sizes.ts';
import type { GpuUse } from '../host/gpu.ts';
import { list } from '../list.ts';
import { type Device, deviceName, findDevices } from '../place/devices.ts';
import { numberAt } from './json.ts';
import { ownWords } from './server.ts';
import type { Server, Subject } from './subject.ts';
import { isUnread } from './unread.ts';

/** Names, or how many where they aren't chosen. */
export function visibleTo(server: Server, { devices, recipe }: Subject): readonly string[] | number {
  return server.devices ?? devices ?? recipe.gpus;
}

/** GPUs that it takes on this node; null where several nodes share them, or a size is one that only the shell knows. */
export function takenBy(server: Server): number | null {
  const words = ownWords(server);
  if (isSpread(words) || SIZE_FLAGS.some(([name, ...others]) => isUnread(server, name, ...others))) return null;
  // Such a node answers requests for the engines of others.
  if (lastFlag(words, '--data-parallel-size-local', '-dpl')?.value === '0') return 0;
  return ranksOf(server);
}

const SIZE_FLAGS = [
  ['--tensor-parallel-size', '-tp'],
  ['--pipeline-parallel-size', '-pp'],
  ['--prefill-context-parallel-size', '-pcp'],
  ['--data-parallel-size', '-dp', '--data-parallel-rank', '-dpn', '--data-parallel-size-local', '-dpl'],
] as const;

/** Ranks of a server on this node: the product of its sizes. */
export function ranksOf({ sizes }: Pick<Server, 'sizes'>): number {
  return sizes.reduce((product, { size }) => product * size, 1);
}

/** 1 without that flag. */
export function sizeOf({ sizes }: Pick<Server, 'sizes'>, flag: `--${string}`): number {
  return sizes.find((one) => one.flag === flag)?.size ?? 1;
}

/** Over how many GPUs a drafter is split: as its target, unless the command says otherwise. */
export function draftTensorSize(server: Server): number {
  const own = server.speculative === 'broken' ? null : numberAt(server.speculative, 'draft_tensor_parallel_size');
  return own !== null && own >= 1 ? own : sizeOf(server, '--tensor-parallel-size');
}

/** `4 = tensor 2 × data 2`, `2 (tensor 2)`, `1 GPU`. */
export function formula(server: Pick<Server, 'sizes'>): string {
  const { sizes } = server;
  const terms = sizes.map(({ flag, size }) => `${TERMS[flag] ?? flag} ${size}`);
  if (terms.length < 2) return terms.length === 0 ? '1 GPU' : `${ranksOf(server)} (${terms.join()})`;
  return `${ranksOf(server)} = ${terms.join(' × ')}`;
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

/** `no GPU 7: kpro5 has 0 and 1`; null where all of them are there. */
export function missingWords(names: readonly string[], host: string, gpus: readonly GpuUse[]): string | null {
  const missing = names.filter((name) => typeof findDevices([name], host, gpus) === 'string');
  if (missing.length === 0) return null;
  return `no GPU ${list(missing, 'or')}: ${host} has ${gpus.length === 0 ? 'none' : list(gpus.map(({ index }) => index))}`;
}

/** Of GPUs that are named, where nvidia-smi is not there. */
export const NOBODY_KNOWS = 'nvidia-smi is not there, so nobody can tell whether they exist';

/** `GPU 0`, `GPUs 0 and 1`. */
export function gpuNames(devices: readonly Device[]): string {
  return `GPU${devices.length === 1 ? '' : 's'} ${list(devices.map(deviceName))}`;
}
