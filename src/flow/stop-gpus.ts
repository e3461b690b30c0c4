/** What is said of a run's GPUs after its stop. */

import type { GpuUse } from '../host/gpu.ts';
import type { Pid } from '../host/process.ts';
import type { GpuView } from '../host/stop.ts';
import type { Run } from '../run/run.ts';
import { type Fact, gone, there, unknown } from './stop-fact.ts';

interface OnGpus {
  readonly run: Run;
  readonly gpu: GpuView;
  /** Every process that was ever seen of the run. */
  readonly tree: readonly Pid[];
  /** Those that still run. */
  readonly running: readonly Pid[];
}

/** Nothing of a run without GPUs on a host without nvidia-smi. The memory is shown, not judged: others may use the same GPU. */
export function gpuFacts({ run, gpu, tree, running }: OnGpus): readonly Fact[] {
  const names = namesOf(run);
  const { gpus, doubt } = gpu;
  if (gpus === null && names.length === 0) return [];
  if (gpus === null || doubt !== null)
    return [unknown(`Whether its GPUs are free can't be proved here: ${DOUBTS[doubt ?? 'silent']}.`)];
  const named = gpus.flatMap(({ index, processes }) =>
    processes.filter(({ pid }) => tree.some((one) => one.pid === pid)).map(({ pid }) => ({ index, pid })),
  );
  const stale = named.filter(({ pid }) => !running.some((one) => one.pid === pid));
  if (stale.length > 0) return [there(staleWords(stale))];
  if (named.length > 0) return [there(`Still on a GPU: pid ${[...new Set(named.map(({ pid }) => pid))].join(', ')}.`)];
  return [gone(`No GPU is held by it${memoryWords(gpus, names)}.`)];
}

function namesOf({ request, placement }: Run): readonly string[] {
  return placement?.devices ?? (typeof request.gpus === 'number' ? [] : request.gpus);
}

/** ` (GPU 0, 1: 6 MiB in use)`: of its own GPUs where nvidia-smi knows them by these names, else of all. */
function memoryWords(gpus: readonly GpuUse[], names: readonly string[]): string {
  const own = gpus.filter(({ index, uuid }) => names.some((name) => name === index || uuid.startsWith(name)));
  const shown = own.length > 0 ? own : gpus;
  if (shown.some(({ usedMib }) => usedMib === null)) return '';
  const used = shown.reduce((sum, { usedMib }) => sum + (usedMib ?? 0), 0);
  const which = own.length === 0 ? 'all GPUs' : `GPU ${own.map(({ index }) => index).join(', ')}`;
  return ` (${which}: ${used} MiB in use)`;
}

function staleWords(stale: readonly { readonly index: string; readonly pid: number }[]): string {
  const which = stale.map(({ pid, index }) => `pid ${pid} on GPU ${index}`).join(', ');
  return `nvidia-smi still names ${which}, though that process is gone: the driver has not let go of its memory. If \`nvidia-smi\` on the host shows it for longer than a minute, \`sudo fuser -v /dev/nvidia*\` tells who keeps it; else a reset of that GPU or a reboot frees it.`;
}

const DOUBTS = {
  missing:
    'nvidia-smi was not found on this host (not on the PATH, nor in /usr/local/nvidia/bin, /usr/lib/wsl/lib and /usr/local/cuda/bin). Where it stands elsewhere, put it on the PATH of the login that Vigil uses',
  silent:
    'nvidia-smi failed, or did not answer within 10 s. `nvidia-smi` on the host shows why, `dmesg -T | grep -i xid` whether a GPU has fallen off the bus',
  hanging:
    'an earlier nvidia-smi still hangs in the driver, so that it is not asked again. `dmesg -T | grep -i xid` on the host tells why',
  hidden:
    'GPU memory is in use by processes that nvidia-smi does not name here, as in a container. `nvidia-smi` on the machine around it names them',
} as const satisfies Record<NonNullable<GpuView['doubt']>, string>;
