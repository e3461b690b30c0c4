/** Who else computes on a run's GPUs: its figures then say less. */

import type { GpuUse } from '../../host/gpu.ts';
import type { Pid } from '../../host/process.ts';
import { shownCommand } from '../../log/shown-command.ts';
import { findDevices } from '../../place/devices.ts';
import type { Run } from '../../run/run.ts';

/**
 * Each as words for people; null where that can't be told: nvidia-smi is silent, or names processes by numbers of another namespace, as in
 * a container. Of a server that was found its GPUs are those that it computes on.
 */
export function othersOnGpus(
  { request, placement }: Pick<Run, 'request' | 'placement'>,
  { gpus, tree }: { readonly gpus: readonly GpuUse[] | null; readonly tree: readonly Pid[] },
): readonly string[] | null {
  if (gpus === null) return null;
  const isOwn = ({ pid, run }: GpuUse['processes'][number]) =>
    run === request.id || tree.some((process) => process.pid === pid);
  const names = placement?.devices ?? (typeof request.gpus === 'number' ? [] : request.gpus);
  const found = names.length === 0 ? null : findDevices(names, request.host, gpus);
  if (typeof found === 'string') return null;
  const own = found?.map(({ gpu }) => gpu) ?? gpus.filter(({ processes }) => processes.some(isOwn));
  const isVisible = own.some(({ processes }) => processes.some(isOwn));
  // A process that this host's own list shows has a user.
  const isForeign = own.some(({ processes }) => processes.some((process) => process.user === null && !isOwn(process)));
  if (!isVisible && (own.length === 0 || isForeign)) return null;
  return own.flatMap(({ index, processes }) =>
    processes
      .filter((process) => !isOwn(process))
      .map(({ pid, command, user }) => {
        const whose = user === null ? '' : `, user ${user}`;
        return `pid ${pid} (${shownCommand(command)}${whose}) on GPU ${index}`;
      }),
  );
}
