/** The processes of a run: by parent, by session and by the mark VIGIL_RUN, and what they used. */

import type { Counters, Pid, SampleTarget } from '../tools.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export interface Tree {
  readonly pids: readonly Pid[];
  readonly counters: Counters;
}

export function renderTree(target: SampleTarget): Script {
  return { name: 'tree', text: TREE, input: targetLines(target) };
}

/** What the scripts need to know of a run, as READ_TARGET reads it. */
export function targetLines(target: SampleTarget): string {
  const { main, session, log } = target.started;
  return [target.path, target.run, main.pid, main.start, session, log].map(line).join('');
}

/** `<pid:start,…|none> cpu read write minor major rss`; null when it isn't such a line. */
export function parseTree(text: string): Tree | null {
  const match = /^(none|[\d:,]+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/.exec(text.trim());
  if (!match) return null;
  const [cpuTicks = 0, readBytes = 0, writeBytes = 0, minorFaults = 0, majorFaults = 0, rssPages = 0] = match
    .slice(2)
    .map(Number);
  const pids = match[1] === 'none' ? [] : (match[1] ?? '').split(',').map(parsePid);
  return { pids, counters: { cpuTicks, readBytes, writeBytes, minorFaults, majorFaults, rssPages } };
}

function parsePid(text: string): Pid {
  const [pid = 0, start = 0] = text.split(':').map(Number);
  return { pid, start };
}

/** Reads one run into vigil_folder, vigil_run, vigil_main, vigil_begun, vigil_sid and vigil_log. */
export const READ_TARGET = `
vigil_target() {
  vigil_path; vigil_folder=$vigil_w
  vigil_word; vigil_run=$vigil_w
  vigil_word; vigil_main=$vigil_w
  vigil_word; vigil_begun=$vigil_w
  vigil_word; vigil_sid=$vigil_w
  vigil_path; vigil_log=$vigil_w
}
`;

/**
 * `vigil_list` reads all live processes once; `vigil_scan` then picks those of one run and prints them with their sums. Each way alone misses
 * some (ranks have sessions of their own, setproctitle wipes environ, orphans lose their parent), so what was seen is remembered in \`tree\`.
 * The session counts only while the launcher leads it: its number may be given to others later. The launcher and its helpers are never named.
 * A run that Vigil didn't launch has no run folder, and none is made: there the main process and its children are all that is known.
 */
export const SCAN = `
vigil_list() {
  vigil_rows=
  vigil_all=$(cat /proc/[0-9]*/stat 2>/dev/null)
  set -f; IFS='
'
  for vigil_raw in $vigil_all; do
    IFS=' '
    vigil_row "\${vigil_raw%% *}" \${vigil_raw##*) }
  done
  set +f; unset IFS
}
vigil_row() {
  [ $# -gt 24 ] || return
  case $2 in [ZXx]) return ;; esac
  vigil_rows="$vigil_rows$1 $3 $5 \${21} $((\${13} + \${14})) $9 \${11} \${23}
"
}
vigil_each() {
  set -f; IFS='
'
  for vigil_raw in $vigil_rows; do
    IFS=' '
    "$1" $vigil_raw
  done
  set +f; unset IFS
}
vigil_seed() {
  if [ "$1" = "$vigil_main" ]; then
    [ "$4" != "$vigil_begun" ] || vigil_add "$1"
    return
  fi
  [ "$1" != "$vigil_sid" ] && [ "$2" != "$vigil_sid" ] || return
  case $vigil_leads$3 in "1$vigil_sid") vigil_add "$1"; return ;; esac
  case " $vigil_seen " in *" $1:$4 "*) vigil_add "$1" ;; esac
}
vigil_child() {
  case $vigil_pids in *" $1 "*) return ;; *" $2 "*) ;; *) return ;; esac
  [ "$1" = "$vigil_sid" ] || { vigil_add "$1"; vigil_more=1; }
}
vigil_add() { vigil_pids="$vigil_pids$1 "; }
vigil_sum_up() {
  case $vigil_pids in *" $1 "*) ;; *) return ;; esac
  vigil_found="$vigil_found $1:$4"
  vigil_files="$vigil_files /proc/$1/io"
  vigil_cpu=$((vigil_cpu + $5)) vigil_minor=$((vigil_minor + $6)) vigil_major=$((vigil_major + $7)) vigil_rss=$((vigil_rss + $8))
}
vigil_marked() {
  for vigil_file in $(grep -laF "VIGIL_RUN=$vigil_run" /proc/[0-9]*/environ 2>/dev/null); do
    vigil_p=\${vigil_file#/proc/} vigil_p=\${vigil_p%/environ}
    case $vigil_pids in *" $vigil_p "*) continue ;; esac
    [ "$vigil_p" != "$vigil_sid" ] || continue
    tr '\\000' '\\n' 2>/dev/null <"$vigil_file" | grep -qxF "VIGIL_RUN=$vigil_run" && vigil_add "$vigil_p"
  done
}
vigil_scan() {
  vigil_pids=' ' vigil_seen= vigil_leads= vigil_found= vigil_files=
  vigil_cpu=0 vigil_minor=0 vigil_major=0 vigil_rss=0 vigil_read=0 vigil_written=0
  { IFS= read -r vigil_seen <"$vigil_folder/tree"; } 2>/dev/null
  { read -r vigil_n <"$vigil_folder/started" && read -r vigil_p vigil_n <"$vigil_folder/launcher.$vigil_n"; } 2>/dev/null &&
    [ "$vigil_p" = "$vigil_sid" ] && vigil_same "$vigil_p" "$vigil_n" && vigil_leads=1
  vigil_each vigil_seed
  vigil_marked
  vigil_more=1
  while [ "$vigil_more" = 1 ]; do vigil_more=; vigil_each vigil_child; done
  vigil_each vigil_sum_up
  if [ -n "$vigil_files" ]; then
    for vigil_raw in $(cat $vigil_files 2>/dev/null | grep -E '^(read|write)_bytes' | tr -d ' '); do
      case $vigil_raw in
        read*) vigil_read=$((vigil_read + \${vigil_raw#*:})) ;;
        *) vigil_written=$((vigil_written + \${vigil_raw#*:})) ;;
      esac
    done
  fi
  vigil_found=\${vigil_found# }
  if [ "$vigil_found" != "$vigil_seen" ] && [ -d "$vigil_folder" ]; then
    { printf '%s\\n' "$vigil_found" >"$vigil_folder/.tree.$$" && mv "$vigil_folder/.tree.$$" "$vigil_folder/tree"; } 2>/dev/null
  fi
  [ -n "$vigil_found" ] || vigil_found=none
  vigil_tree="$(printf '%s' "$vigil_found" | tr ' ' ,) $vigil_cpu $vigil_read $vigil_written $vigil_minor $vigil_major $vigil_rss"
}
`;

const TREE = `
LC_ALL=C
${READ_STAT}${READ_TARGET}${SCAN}
vigil_target
vigil_list
vigil_scan
printf '%s\\n' "$vigil_tree"
`;
