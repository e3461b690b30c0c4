/** The GPUs of a host, and who computes on them since when. */

import type { GpuProcess, GpuUse } from '../host/gpu.ts';
import { DESCRIBE } from './owner.ts';
import { PAUSE, READ_STAT } from './process.ts';
import type { Script } from './script.ts';
import { FIND_HANGING, FIND_SMI } from './smi.ts';

/** Processes that are looked at in /proc at most; others are only named. */
const MOST = 64;
/** How far up its parents a process looks for its run: vLLM's children have an environment that setproctitle wiped. */
const HEIGHT = 8;

export type GpuAnswer =
  | {
      readonly kind: 'told';
      readonly gpus: readonly GpuUse[];
      /** Some GPU holds memory for processes that nvidia-smi doesn't name here, as in a container whose driver counts by the host's pids. */
      readonly hidesProcesses: boolean;
    }
  /** nvidia-smi is not there, failed or named no GPU; or it was not asked, since one hangs. */
  | { readonly kind: 'missing' | 'failed' | 'hanging' };

/** MiB in use on a GPU that nobody computes on: what the driver keeps for itself, and a display. */
const IDLE_MIB = 1024;

/**
 * null when the answer isn't whole. What nvidia-smi won't tell ([N/A], [Not Supported], [Insufficient Permissions]: containers, MIG, old cards)
 * is null; processes whose pid it won't tell are left out. A process on a MIG device belongs to its GPU.
 */
export function parseGpus(output: string): GpuAnswer | null {
  const refusal = /^(missing|failed|hanging)$/m.exec(output)?.[1];
  if (refusal !== undefined) return { kind: refusal as 'missing' | 'failed' | 'hanging' };
  const rows = output.split('\n');
  const of = (kind: string) => rows.flatMap((row) => (row.startsWith(`${kind} `) ? [row.slice(kind.length + 1)] : []));
  const [space] = of('asked');
  if (space === undefined) return null;
  const known = new Map(of('process').map(readKnown));
  const beside = { apps: of('app'), migs: readMigs(of('list')), known };
  const gpus = of('gpu').flatMap((row) => readGpu(row, beside));
  if (gpus.length === 0) return { kind: 'failed' };
  return { kind: 'told', gpus, hidesProcesses: space === 'foreign' && gpus.some((gpu) => hides(gpu, known)) };
}

interface Known {
  readonly since: number | null;
  readonly run: string | null;
  readonly user: string | null;
}

interface Beside {
  readonly apps: readonly string[];
  readonly migs: ReadonlyMap<string, GpuUse['migs']>;
  readonly known: ReadonlyMap<number, Known>;
}

/** Under MIG the memory of the whole GPU may be untold; then its devices are all that can be used. */
function readGpu(row: string, { apps, migs, known }: Beside): GpuUse[] {
  const [index = '', uuid = '', total, used, free, busy, mig, ...name] = row.split(',').map((field) => field.trim());
  if (!/^\d+$/.test(index) || uuid === '') return [];
  const own = migs.get(uuid) ?? [];
  const uuids = [uuid, ...own.map((device) => device.uuid)];
  return [
    {
      index,
      uuid,
      name: name.join(', '),
      totalMib: readNumber(total),
      usedMib: readNumber(used),
      freeMib: readNumber(free),
      utilization: readNumber(busy),
      isMig: mig === 'Enabled',
      migs: own,
      processes: apps.flatMap((app) => readProcess(app, uuids, known)),
    },
  ];
}

function readProcess(app: string, uuids: readonly string[], known: ReadonlyMap<number, Known>): GpuProcess[] {
  const [gpu = '', pid = '', used, ...command] = app.split(',').map((field) => field.trim());
  if (!uuids.includes(gpu) || !/^\d+$/.test(pid)) return [];
  const about = known.get(Number(pid)) ?? { since: null, run: null, user: null };
  return [{ pid: Number(pid), command: command.join(', '), usedMib: readNumber(used), ...about }];
}

/** `GPU 0: NAME (UUID: GPU-…)`, below it `  MIG 1g.10gb     Device  0: (UUID: MIG-…)`; drivers before 470 write MIG-GPU-…/1/0. */
function readMigs(list: readonly string[]): Map<string, GpuUse['migs']> {
  const migs = new Map<string, { uuid: string; name: string }[]>();
  let gpu = '';
  for (const row of list) {
    gpu = /^GPU \d+: .*\(UUID: (\S+)\)$/.exec(row.trim())?.[1] ?? gpu;
    const [, name, uuid] = /^MIG (\S{1,60}) {1,40}Device {1,10}\d{1,4}: \(UUID: (\S{1,120})\)$/.exec(row.trim()) ?? [];
    if (name !== undefined && uuid !== undefined) migs.set(gpu, [...(migs.get(gpu) ?? []), { uuid, name }]);
  }
  return migs;
}

function readKnown(row: string): [number, Known] {
  const [pid, since = '-', run = '-', user = '-'] = row.split(' ');
  return [Number(pid), { since: readNumber(since), run: run === '-' ? null : run, user: user === '-' ? null : user }];
}

function readNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function hides({ usedMib, processes }: GpuUse, known: ReadonlyMap<number, Known>): boolean {
  return (usedMib ?? 0) > IDLE_MIB && !processes.some(({ pid }) => known.has(pid));
}

/**
 * Asked apart from all else: on a fallen GPU nvidia-smi hangs for ever. Drivers before 450 know no MIG and refuse its field. Each row has its
 * kind before it, so that no process name can pass for another kind. In a container nvidia-smi's pids may be the host's, where the same number
 * is another process here: only one that has a GPU's device open is believed.
 */
export const GPUS: Script = {
  name: 'gpus',
  input: '',
  text: `
LC_ALL=C
${READ_STAT}${PAUSE}${DESCRIBE}${FIND_SMI}${FIND_HANGING}
vigil_find_smi || { printf 'missing\\n'; exit 0; }
! vigil_hangs || { printf 'hanging\\n'; exit 0; }
vigil_query() { vigil_ask_smi "$@" --format=csv,noheader,nounits; }
vigil_fail() { printf 'failed\\n'; exit 0; }
vigil_rows() {
  printf '%s\\n' "$2" | while IFS= read -r vigil_row; do printf '%s %s\\n' "$1" "$vigil_row"; done
}
vigil_fields=index,uuid,memory.total,memory.used,memory.free,utilization.gpu
vigil_gpus=$(vigil_query --query-gpu=$vigil_fields,mig.mode.current,name) || {
  [ $? -lt 124 ] || vigil_fail
  vigil_gpus=$(vigil_query --query-gpu=$vigil_fields,index,name) || vigil_fail
}
vigil_apps=$(vigil_query --query-compute-apps=gpu_uuid,pid,used_memory,process_name) || vigil_fail
vigil_rows gpu "$vigil_gpus"
vigil_rows app "$vigil_apps"
case $vigil_gpus in *Enabled*) vigil_rows list "$(vigil_ask_smi -L)" ;; esac
vigil_space=foreign
[ "$(readlink /proc/self/ns/pid 2>/dev/null)" != 'pid:[4026531836]' ] || vigil_space=own
vigil_computes() {
  [ $vigil_space = foreign ] || return 0
  ls -l "/proc/$1/fd" 2>/dev/null | grep -qE '/dev/(nvidia|dxg)'
}
vigil_marks=' '
vigil_find_mark() {
  vigil_above=$1 vigil_height=0
  while [ "$vigil_above" -gt 1 ] && [ $vigil_height -lt ${HEIGHT} ]; do
    case $vigil_marks in *" $vigil_above:"*) vigil_mark=\${vigil_marks##* "$vigil_above":} vigil_mark=\${vigil_mark%% *} ;;
    *) vigil_mark_of "$vigil_above"; vigil_marks="$vigil_marks$vigil_above:$vigil_mark " ;;
    esac
    [ "$vigil_mark" = - ] || return 0
    vigil_stat "$vigil_above" || return 0
    vigil_above=$vigil_parent vigil_height=$((vigil_height + 1))
  done
}
vigil_told=' ' vigil_count=0
set -f; IFS='
'
for vigil_row in $vigil_apps; do
  unset IFS
  vigil_p=\${vigil_row#*,} vigil_p=\${vigil_p%%,*} vigil_p=\${vigil_p# }
  case $vigil_p in '' | *[!0-9]*) continue ;; esac
  case $vigil_told in *" $vigil_p "*) continue ;; esac
  vigil_told="$vigil_told$vigil_p " vigil_count=$((vigil_count + 1))
  [ $vigil_count -le ${MOST} ] || break
  vigil_stat "$vigil_p" && vigil_computes "$vigil_p" || continue
  vigil_about "$vigil_p"
  vigil_mark=-
  vigil_find_mark "$vigil_p"
  printf 'process %s %s %s %s\\n' "$vigil_p" "$vigil_since" "$vigil_mark" "$vigil_user"
done
printf 'asked %s\\n' $vigil_space
`,
};
