/** The sampler of a host: one loop for all runs, one whole numbered line a run and second. */

import type { Sample, SampleTarget } from '../host/sample.ts';
import { FIND_NEWCOMERS } from './newcomers.ts';
import { PAUSE, READ_CLOCK, READ_STAT } from './process.ts';
import { parseExit } from './record.ts';
import { SCAN } from './scan.ts';
import { line, type Script } from './script.ts';
import { parseTree, READ_TARGET, targetLines } from './tree.ts';

export interface SampleLine {
  readonly tick: number;
  /** Index of the run in the list that the script was given. */
  readonly index: number;
  readonly sample: Omit<Sample, 'bootId' | 'init'>;
}

/** The tree is looked at in every TREE_EVERY-th tick, the first included. */
const TREE_EVERY = 10;
/** And at all processes of the host, which costs as much as a minute of the rest, in every WHOLE_EVERY-th. */
const WHOLE_EVERY = 300;

export function renderSampler(targets: readonly SampleTarget[]): Script {
  return { name: 'samples', text: SAMPLER, input: line(targets.length) + targets.map(targetLines).join('') };
}

/** The sampler's first line; null when it isn't one. */
export function parseBoot(text: string): { readonly bootId: string; readonly init: number } | null {
  const match = /^boot (\S+) (\d+)$/.exec(text);
  return match ? { bootId: match[1] ?? '', init: Number(match[2]) } : null;
}

/** `<tick> <index> <ms> <alive> <exit record|-> <log size|-> <tree|->`, parts split by `|`; null when it isn't such a line. */
export function parseSample(text: string): SampleLine | null {
  const [head, exit, size, tree, ...rest] = text.split('|');
  const match = /^(\d+) (\d+) (\d+) ([01])$/.exec(head ?? '');
  if (!match || exit === undefined || size === undefined || tree === undefined || rest.length > 0) return null;
  const looked = tree === '-' ? null : parseTree(tree);
  if (tree !== '-' && looked === null) return null;
  const sample = {
    at: Number(match[3]),
    alive: match[4] === '1',
    exit: parseExit(exit),
    logSize: /^\d+$/.test(size) ? Number(size) : null,
    tree: looked,
  };
  return { tick: Number(match[1]), index: Number(match[2]), sample };
}

/**
 * A dead process without an exit record is looked at a second time where there is a launcher, which needs a moment to write it. Where /proc
 * hides other users' processes and the main one may be such (a prelude that changes the user), it lives while its launcher waits for it. Time is
 * the uptime (read without a fork) on a base that is taken anew with each look at the trees, so a clock that is set shows within ten seconds.
 *
 * Between two looks at all processes only those of the trees are read, and the newcomers; each of these is asked for the mark once.
 */
const SAMPLER = `
LC_ALL=C
${READ_STAT}${READ_CLOCK}${PAUSE}${READ_TARGET}${SCAN}${FIND_NEWCOMERS}
vigil_word; vigil_count=$vigil_w
vigil_i=0
while [ $vigil_i -lt $vigil_count ]; do
  vigil_target
  for vigil_key in folder run main begun sid log; do eval "vigil_\${vigil_key}_$vigil_i=\\$vigil_$vigil_key"; done
  vigil_i=$((vigil_i + 1))
done
vigil_pick() {
  eval "vigil_folder=\\$vigil_folder_$1 vigil_run=\\$vigil_run_$1 vigil_main=\\$vigil_main_$1 vigil_begun=\\$vigil_begun_$1 vigil_sid=\\$vigil_sid_$1"
}
vigil_uptime() {
  read -r vigil_up vigil_n </proc/uptime
  vigil_up=\${vigil_up%.*}\${vigil_up#*.}0
}
vigil_sizes() {
  set --
  vigil_i=0
  while [ $vigil_i -lt $vigil_count ]; do
    eval "vigil_size_$vigil_i=-; vigil_log=\\$vigil_log_$vigil_i"
    if [ -f "$vigil_log" ]; then
      set -- "$@" "$vigil_log"
      eval "vigil_file_$#=$vigil_i"
    fi
    vigil_i=$((vigil_i + 1))
  done
  [ $# -gt 0 ] || return
  if command -v stat >/dev/null 2>&1; then vigil_measured=$(stat -L -c '%s' "$@" 2>/dev/null) || return
  else vigil_measured=$(for vigil_log in "$@"; do wc -c <"$vigil_log" || exit; done 2>/dev/null) || return; fi
  vigil_i=0
  for vigil_size in $vigil_measured; do
    vigil_i=$((vigil_i + 1))
    eval "eval \\"vigil_size_\\$vigil_file_$vigil_i=$vigil_size\\""
  done
}
vigil_exit() {
  vigil_exit=-
  { IFS= read -r vigil_exit <"$vigil_folder/exit"; } 2>/dev/null
}
vigil_lives() {
  vigil_same "$vigil_main" "$vigil_begun" && return
  [ "$vigil_init$vigil_exit" = 0- ] && [ ! -r "/proc/$vigil_main/stat" ] && vigil_has_launcher
}
vigil_list_near() {
  set -- "/proc/$vigil_main/stat"
  for vigil_item in $vigil_seen; do
    [ "\${vigil_item%:*}" = "$vigil_main" ] || set -- "$@" "/proc/\${vigil_item%:*}/stat"
  done
  vigil_list "$@"
  vigil_rows=$vigil_rows$vigil_related
}
vigil_look_at_tree() {
  eval "vigil_seen=\\$vigil_seen_$1"
  vigil_recall
  [ $vigil_look = whole ] || vigil_list_near
  vigil_scan
  eval "vigil_seen_$1=\\$vigil_seen"
}
vigil_boot
printf 'boot %s %s\\n' "$vigil_boot_id" "$vigil_init"
vigil_tick=0 vigil_patient=
while :; do
  vigil_look=
  [ $((vigil_tick % ${TREE_EVERY})) != 0 ] || vigil_look=near
  [ $((vigil_tick % ${WHOLE_EVERY})) != 0 ] || vigil_look=whole
  if [ -n "$vigil_look" ]; then
    vigil_uptime; vigil_clock
    vigil_base=$((vigil_now - vigil_up))
    if [ $vigil_tick = 0 ]; then vigil_mark_time; vigil_environs='/proc/[0-9]*/environ'
    else vigil_find_newcomers; fi
    [ $vigil_look = near ] || vigil_list /proc/[0-9]*/stat
  fi
  vigil_sizes
  vigil_k=0
  while [ $vigil_k -lt $vigil_count ]; do
    vigil_pick $vigil_k
    vigil_exit
    vigil_alive=1
    vigil_lives || vigil_alive=0
    if [ $vigil_alive = 0 ]; then
      vigil_exit
      if [ "$vigil_exit" = - ] && [ -e "$vigil_folder/started" ]; then vigil_pause; vigil_exit; fi
    fi
    vigil_tree=-
    [ -z "$vigil_look" ] || vigil_look_at_tree $vigil_k
    vigil_uptime
    eval "vigil_size=\\$vigil_size_$vigil_k"
    printf '%s %s %s %s|%s|%s|%s\\n' $vigil_tick $vigil_k $((vigil_base + vigil_up)) $vigil_alive "$vigil_exit" "$vigil_size" "$vigil_tree" || exit
    vigil_k=$((vigil_k + 1))
  done
  vigil_tick=$((vigil_tick + 1))
  sleep 1
done
`;
