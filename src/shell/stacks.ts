/** Stacks of processes that seem stuck: by py-spy where it is there and may, else what the kernel says. */

import type { Pid, StackDump } from '../host/process.ts';
import { LIMIT } from './limit.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';
import { pidList } from './signal.ts';

const MOST_PIDS = 8;
/** Bytes of one stack. */
const MOST_TEXT = 4096;
/** Seconds for all of them, and for one by py-spy. */
const LIMIT_ALL = 10;
const LIMIT_ONE = 5;

export function renderStacks(pids: readonly Pid[]): Script {
  return { name: 'stacks', text: STACKS, input: line(pidList(pids.slice(0, MOST_PIDS))) };
}

/** null when the answer isn't whole. */
export function parseStacks(output: string): readonly StackDump[] | null {
  const fields = output.split('\0');
  if (fields.at(-2) !== 'whole') return null;
  const dumps: StackDump[] = [];
  for (let at = 0; at + FIELDS < fields.length - 1; at += FIELDS) {
    const [pid, start, by, text = ''] = fields.slice(at, at + FIELDS);
    const kind = by === 'py-spy' ? 'py-spy' : 'proc';
    dumps.push({ pid: Number(pid), start: Number(start), by: kind, text: kind === 'proc' ? text : withoutHead(text) });
  }
  return dumps;
}

/** Each ends with NUL. */
const FIELDS = 4;

/** py-spy begins with the command line, which may hold secrets, and the interpreter's path. */
function withoutHead(text: string): string {
  const at = text.search(/^Thread /m);
  return at < 0 ? text.replace(/^Process .*\n?/gm, '') : text.slice(at);
}

/**
 * py-spy is looked for on the PATH and beside the Python that the process runs. That is told by its command line and by what it has mapped,
 * too: in a virtual environment its program is a link to a Python elsewhere, and vLLM's children have titles for command lines. What it says is believed where it ended well
 * and names a thread. /proc/PID/stack is for root only.
 */
const STACKS = `
LC_ALL=C
${READ_STAT}${LIMIT}
vigil_seconds() { read -r vigil_up vigil_n </proc/uptime; vigil_up=\${vigil_up%%.*}; }
vigil_find_spy() {
  vigil_spy=$(command -v py-spy 2>/dev/null) && return
  for vigil_prefix in $(readlink "/proc/$1/exe" 2>/dev/null | sed 's,/[^/]*/[^/]*$,,') \\
    $(vigil_within 1 tr '\\000' '\\n' 2>/dev/null <"/proc/$1/cmdline" | sed -n '1,2s,^\\(/.*\\)/bin/[^/]*$,\\1,p') \\
    $(vigil_within 1 sed -n 's,^[^/]*\\(/.*\\)/lib[0-9]*/python3[^/]*/site-packages/.*,\\1,p' "/proc/$1/maps" 2>/dev/null | sort -u | head -n 3); do
    vigil_spy=$vigil_prefix/bin/py-spy
    [ ! -f "$vigil_spy" ] || [ ! -x "$vigil_spy" ] || return 0
  done
  return 1
}
vigil_by_spy() {
  vigil_seconds
  vigil_left=$((vigil_until - vigil_up))
  [ $vigil_left -gt 0 ] || return
  [ $vigil_left -lt ${LIMIT_ONE} ] || vigil_left=${LIMIT_ONE}
  vigil_text=$(vigil_within $vigil_left "$vigil_spy" dump --nonblocking --pid "$1" 2>/dev/null </dev/null) || return
  case $vigil_text in *Thread*) ;; *) return 1 ;; esac
}
vigil_wait_of() {
  vigil_wchan=
  { IFS= read -r vigil_wchan <"$1/wchan"; } 2>/dev/null
  case $vigil_wchan in 0) vigil_wchan= ;; esac
}
vigil_threads_of() {
  for vigil_task in "/proc/$1/task"/[0-9]*; do
    { IFS= read -r vigil_raw <"$vigil_task/stat"; } 2>/dev/null || continue
    vigil_rest=\${vigil_raw##*) }
    vigil_wait_of "$vigil_task"
    printf '%s %s\\n' "\${vigil_rest%% *}" "$vigil_wchan"
  done | sort | uniq -c | sort -rn | head -n 8
}
vigil_by_proc() {
  vigil_wait_of "/proc/$1"
  printf 'state %s %s\\nthreads by state:\\n' "$2" "$vigil_wchan"
  vigil_threads_of "$1"
  vigil_all=$(vigil_within 1 cat "/proc/$1/stack" 2>/dev/null) && [ -z "$vigil_all" ] || printf 'kernel stack:\\n%s\\n' "$vigil_all"
}
vigil_seconds
vigil_until=$((vigil_up + ${LIMIT_ALL}))
vigil_word
IFS=,
set -- $vigil_w
unset IFS
for vigil_item in "$@"; do
  vigil_p=\${vigil_item%:*}
  vigil_same "$vigil_p" "\${vigil_item#*:}" || continue
  vigil_begun=$vigil_start vigil_by=py-spy
  if ! { vigil_find_spy "$vigil_p" && vigil_by_spy "$vigil_p"; }; then
    vigil_by=proc vigil_text=$(vigil_by_proc "$vigil_p" "$vigil_state" 2>/dev/null)
  fi
  printf '%s\\0' "$vigil_p" "$vigil_begun" $vigil_by
  printf '%s' "$vigil_text" | head -c ${MOST_TEXT}
  printf '\\0'
done
printf 'whole\\0'
`;
