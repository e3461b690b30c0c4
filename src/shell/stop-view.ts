/** What is left of a run after a stop. */

import type { ServerAddress } from '../address.ts';
import type { Exit, Pid, SampleTarget } from '../tools.ts';
import { addressLines, LISTENER } from './listener.ts';
import { parseExit } from './record.ts';
import { line, type Script } from './script.ts';
import { parseRunning, pidList, TELL_RUNNING } from './signal.ts';

export function renderStopView(
  target: SampleTarget,
  { pids, address }: { readonly pids: readonly Pid[]; readonly address: ServerAddress | null },
): Script {
  const asked = address === null ? line('none') : line('address') + addressLines(address);
  const input = line(target.path) + line(pidList(pids)) + asked;
  return { name: 'stop-view', text: STOP_VIEW, input };
}

/** The listener's part of the output is read by parseListener. */
export function parseStopView(output: string): { readonly running: readonly Pid[]; readonly exit: Exit | null } {
  const record = output.split('\n').find((row) => row.startsWith('exit ')) ?? '';
  return { running: parseRunning(output), exit: parseExit(record.slice('exit '.length)) };
}

/** Asks nvidia-smi apart from all else: on a fallen GPU it hangs for ever. */
export const GPU_VIEW: Script = {
  name: 'gpu-view',
  input: '',
  text: `
LC_ALL=C
command -v nvidia-smi >/dev/null 2>&1 || exit 0
nvidia-smi --query-compute-apps=pid --format=csv,noheader,nounits </dev/null | while read -r vigil_p; do printf 'pid %s\\n' "$vigil_p"; done
nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits </dev/null | while read -r vigil_m; do printf 'used %s\\n' "$vigil_m"; done
printf 'asked\\n'
`,
};

/** nulls where nvidia-smi isn't there; values such as [N/A] (containers, MIG) are left out, and a sum of nothing is null. */
export function parseGpuView(output: string): {
  readonly pids: readonly number[] | null;
  readonly usedMib: number | null;
} {
  const rows = output.split('\n');
  const used = numbers(rows, 'used ');
  if (!rows.includes('asked') || used.length === 0) return { pids: null, usedMib: null };
  return { pids: numbers(rows, 'pid '), usedMib: used.reduce((sum, mib) => sum + mib, 0) };
}

function numbers(rows: readonly string[], prefix: string): number[] {
  return rows
    .filter((row) => row.startsWith(prefix) && /^\d+$/.test(row.slice(prefix.length)))
    .map((row) => Number(row.slice(prefix.length)));
}

const STOP_VIEW = `
LC_ALL=C
${LISTENER}
vigil_path; vigil_folder=$vigil_w
${TELL_RUNNING}if { IFS= read -r vigil_w <"$vigil_folder/exit"; } 2>/dev/null; then printf 'exit %s\\n' "$vigil_w"; fi
vigil_word
[ "$vigil_w" = none ] || vigil_listener
`;
