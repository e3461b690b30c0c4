import type { GpuUse } from '../tools.ts';
import { shownCommand } from './shown-command.ts';

/** Why a run can't start on GPUs that compute for others, or null; also null where nvidia-smi can't be asked, or shows no such process. */
export function gpusTaken(
  { host, gpus }: { host: string; gpus: readonly string[] },
  uses: readonly GpuUse[] | null,
): string | null {
  const taken = (uses ?? []).filter(({ index, uuid, processes }) => {
    return processes.length > 0 && gpus.some((name) => name === index || uuid.startsWith(name));
  });
  const first = taken[0];
  if (first === undefined) return null;
  const users = taken.map(({ index, usedMib, processes }) => {
    const who = processes.map(({ pid, command }) => `pid ${pid} (${shownCommand(command)})`).join(', ');
    return `GPU ${index} by ${who}, ${usedMib} MiB`;
  });
  return `GPUs of ${host} are in use: ${users.join('; ')}. They have to be free before the start. End those processes, or give the recipe other GPUs. Nothing was started.`;
}
