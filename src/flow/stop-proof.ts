/** What proves that a run is gone, one sentence a fact. */

import type { ServerAddress } from '../address.ts';
import type { Run, StopProof } from '../run/run.ts';
import type { Exit, Listener, Pid, StopView } from '../tools.ts';

/** `tree` holds every process that was ever seen of the run. What can't be asked is not proved. */
export function proofOf(view: StopView, tree: readonly Pid[], run: Run): StopProof {
  const { running, exit, listener, onGpu } = view;
  const isPortOurs = listener?.kind === 'known' && tree.some((process) => process.pid === listener.pid);
  const isOffGpus = onGpu !== null && onGpu.length === 0;
  return {
    proven: running.length === 0 && !isPortOurs && isOffGpus,
    evidence: [
      processWords(running, tree.length),
      exitWords(exit),
      ...portWords(run.request.address, listener, isPortOurs),
      gpuWords(view),
    ],
  };
}

function processWords(running: readonly Pid[], seen: number): string {
  const pids = running.map((process) => process.pid).join(', ');
  if (running.length > 0) return `Still running: pid ${pids}. End them on the host by hand.`;
  return seen === 1 ? 'The process is gone.' : `All ${seen} processes are gone.`;
}

function exitWords(exit: Exit | null): string {
  if (exit === null) return 'There is no exit record.';
  return exit.signal === null ? `Exit code ${exit.code}.` : `Ended by signal ${exit.signal}.`;
}

function portWords(address: ServerAddress | null, listener: Listener | null, isOurs: boolean): string[] {
  if (address === null || listener === null) return [];
  const where = address.kind === 'tcp' ? `Port ${address.port}` : `Socket ${address.path}`;
  if (listener.kind === 'closed') return [`${where} is closed.`];
  return [isOurs ? `${where} is still open.` : `${where} is held by another process.`];
}

function gpuWords({ onGpu, gpuUsedMib }: StopView): string {
  if (onGpu === null) return "Whether the GPUs are free can't be proved here: nvidia-smi does not answer.";
  if (onGpu.length > 0) return `Still on a GPU: pid ${onGpu.join(', ')}.`;
  return `No GPU is held by them${gpuUsedMib === null ? '' : ` (${gpuUsedMib} MiB in use in all)`}.`;
}
