/** What may show that work gets done: bytes on disk and on the wire, and what the kernel says of the processes. */

import type { ProcessState } from '../host/process.ts';
import type { WorkQuestion, WorkView } from '../host/sample.ts';
import { HUB_CACHE, hubFolderOf, hubLines } from './hub-cache.ts';
import { LIMIT } from './limit.ts';
import { READ_CLOCK, READ_STAT } from './process.ts';
import { TELL_IO } from './scan.ts';
import { line, type Script } from './script.ts';
import { pidList } from './signal.ts';
import { parseTree } from './tree.ts';

/** Processes and folders that are looked at, at most. */
const MOST_PIDS = 256;
const MOST_FOLDERS = 16;
/** Seconds that a folder may take to be counted. All are counted side by side. */
const COUNT_LIMIT = 5;

export function renderWork({ folders, hub, environment, pids }: WorkQuestion): Script {
  const asked = [folders, hub.map(({ id }) => hubFolderOf(id))].map((paths) => paths.slice(0, MOST_FOLDERS));
  const input = [
    line(pidList(pids.slice(0, MOST_PIDS))),
    hubLines(environment),
    ...asked.flatMap((paths) => [line(paths.length), ...paths.map(line)]),
  ];
  return { name: 'work', text: WORK, input: input.join('') };
}

/** null when the answer isn't whole. */
export function parseWork(output: string, { folders, hub }: Pick<WorkQuestion, 'folders' | 'hub'>): WorkView | null {
  const rows = output.split('\n');
  const of = (kind: string) => rows.flatMap((row) => (row.startsWith(`${kind} `) ? [row.slice(kind.length + 1)] : []));
  const [now] = of('now');
  if (now === undefined || !rows.includes('whole')) return null;
  const counted = new Map(of('bytes').map(readBytes));
  const keys: [string, string][] = [
    ...folders.map((path, at): [string, string] => [path, `folder${at}`]),
    ...hub.map(({ id }, at): [string, string] => [id, `hub${at}`]),
  ];
  return {
    at: Number(now),
    bytes: new Map(keys.map(([key, name]) => [key, counted.get(name) ?? null])),
    totals: new Map(of('total').flatMap((row) => readTotal(row, hub))),
    partial: new Set(of('partial').flatMap((row) => hub[Number(row)]?.id ?? [])),
    received: receivedOf(of('net')),
    tree: of('tree').flatMap((row) => parseTree(row) ?? []),
    states: of('state').flatMap(readState),
  };
}

/** du counts blocks of 1024 bytes. */
function readBytes(row: string): [string, number | null] {
  const [name = '', blocks = '-'] = row.split(' ');
  return [name, blocks === '-' ? null : Number(blocks) * 1024];
}

function readTotal(row: string, hub: WorkQuestion['hub']): [string, number][] {
  const [index, total] = row.split(' ').map(Number);
  const id = hub[index ?? -1]?.id;
  return id === undefined || !Number.isSafeInteger(total) || total === undefined ? [] : [[id, total]];
}

function receivedOf(rows: readonly string[]): number | null {
  const counts = rows.map((row) => row.split(' ')).filter(([name]) => name !== 'lo');
  return counts.length === 0 ? null : counts.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

/** The kernel says 0 of what runs, and of what it doesn't tell this user. */
function readState(row: string): ProcessState[] {
  const [, pid, start, state = '', wchan = '', name = ''] = /^(\d+) (\d+) (\S) (\S{1,80}) (.*)$/.exec(row) ?? [];
  if (pid === undefined) return [];
  return [{ pid: Number(pid), start: Number(start), state, wchan: wchan === '0' ? '' : wchan, name }];
}

/**
 * Each folder is counted by a job of its own, so that one on a dead file system holds up no other. du counts what stands on disk: a file that a
 * download made in its full length at once grows all the same.
 */
const WORK = `
LC_ALL=C
${READ_STAT}${READ_CLOCK}${LIMIT}${HUB_CACHE}${TELL_IO}
vigil_word; vigil_asked=$vigil_w
vigil_hub_words
vigil_count_bytes() {
  vigil_blocks=
  [ ! -d "$2" ] || vigil_blocks=$(vigil_within ${COUNT_LIMIT} du -skH "$2" 2>/dev/null)
  vigil_blocks=\${vigil_blocks%%[!0-9]*}
  printf 'bytes %s %s\\n' "$1" "\${vigil_blocks:--}"
}
vigil_clock
printf 'now %s\\n' "$vigil_now"
vigil_word; vigil_count=$vigil_w
vigil_i=0
while [ $vigil_i -lt $vigil_count ]; do
  vigil_path
  vigil_count_bytes "folder$vigil_i" "$vigil_w" </dev/null &
  vigil_i=$((vigil_i + 1))
done
IFS=,
set -- $vigil_asked
unset IFS
vigil_word; vigil_count=$vigil_w
if [ $vigil_count -gt 0 ]; then
  vigil_i=0
  for vigil_item in "$@"; do
    [ $vigil_i -lt 4 ] || break
    ! vigil_same "\${vigil_item%:*}" "\${vigil_item#*:}" || vigil_hub_of "\${vigil_item%:*}"
    vigil_i=$((vigil_i + 1))
  done
fi
vigil_total_of() {
  vigil_total=0
  for vigil_n in $(vigil_within 1 grep -ho '"total_size": *[0-9]\\{1,18\\}' "$2"/snapshots/*/*.index.json 2>/dev/null); do
    case $vigil_n in *[!0-9]*) ;; *) [ "$vigil_n" -le $vigil_total ] || vigil_total=$vigil_n ;; esac
  done
  [ $vigil_total = 0 ] || printf 'total %s %s\\n' "$1" $vigil_total
  for vigil_n in "$2"/blobs/*.incomplete; do
    if [ -e "$vigil_n" ]; then printf 'partial %s\\n' "$1"; break; fi
  done
}
vigil_find_hub
vigil_i=0
while [ $vigil_i -lt $vigil_count ]; do
  vigil_word
  vigil_count_bytes "hub$vigil_i" "$vigil_hub/$vigil_w" </dev/null &
  vigil_total_of $vigil_i "$vigil_hub/$vigil_w" </dev/null
  vigil_i=$((vigil_i + 1))
done
sed -n 's/^ *\\([^: ]*\\): *\\([0-9]*\\) .*/net \\1 \\2/p' /proc/net/dev 2>/dev/null
vigil_used_of() {
  vigil_files="$vigil_files /proc/$1/io"
  vigil_told="$vigil_told,$1:\${21}:$((\${13} + \${14} + \${15} + \${16})):$9:\${11}:\${23}"
}
vigil_files= vigil_told=
for vigil_item in "$@"; do
  vigil_same "\${vigil_item%:*}" "\${vigil_item#*:}" || continue
  vigil_used_of "\${vigil_item%:*}" \${vigil_raw##*) }
  vigil_name=\${vigil_raw#*\\(}
  vigil_wchan=
  { IFS= read -r vigil_wchan <"/proc/\${vigil_item%:*}/wchan"; } 2>/dev/null
  printf 'state %s %s %s %s %s\\n' "\${vigil_item%:*}" "$vigil_start" "$vigil_state" "\${vigil_wchan:-0}" "\${vigil_name%)*}"
done
vigil_tell_io
vigil_told=\${vigil_told#,} vigil_io=\${vigil_io#,}
printf 'tree %s %s\\n' "\${vigil_told:-none}" "\${vigil_io:-none}"
wait
printf 'whole\\n'
`;
