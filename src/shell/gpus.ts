/** The GPUs of a host and who computes on them. */

import type { GpuUse } from '../tools.ts';
import type { Script } from './script.ts';

/** Asked apart from all else: on a fallen GPU nvidia-smi hangs for ever. */
export const GPUS: Script = {
  name: 'gpus',
  input: '',
  text: `
LC_ALL=C
command -v nvidia-smi >/dev/null 2>&1 || exit 0
vigil_gpus=$(nvidia-smi --query-gpu=index,uuid,memory.used --format=csv,noheader,nounits </dev/null) || exit 0
vigil_apps=$(nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name --format=csv,noheader,nounits </dev/null) || exit 0
printf '%s\\napps\\n%s\\nasked\\n' "$vigil_gpus" "$vigil_apps"
`,
};

/**
 * null where nvidia-smi isn't there, failed or names no GPU. Memory that it won't tell ([N/A] in containers, with MIG) is 0; processes whose
 * pid it won't tell are left out.
 */
export function parseGpus(output: string): readonly GpuUse[] | null {
  const rows = output.split('\n').map((row) => row.split(',').map((field) => field.trim()));
  const middle = rows.findIndex(([word]) => word === 'apps');
  const isWhole = rows.some(([word]) => word === 'asked');
  const gpus = rows.slice(0, Math.max(0, middle)).filter(([index = '', uuid]) => /^\d+$/.test(index) && uuid);
  if (!isWhole || gpus.length === 0) return null;
  const apps = rows.slice(middle + 1).filter(([, pid = '']) => /^\d+$/.test(pid));
  return gpus.map(([index = '', uuid = '', used = '']) => ({
    index,
    uuid,
    usedMib: /^\d+$/.test(used) ? Number(used) : 0,
    processes: apps
      .filter(([gpu]) => gpu === uuid)
      .map(([, pid, ...command]) => ({ pid: Number(pid), command: command.join(', ') })),
  }));
}
