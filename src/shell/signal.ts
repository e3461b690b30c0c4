/** Signals, pid by pid, each only to the process that it was meant for. */

import type { Pid } from '../tools.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export function renderKill(pids: readonly Pid[], name: 'TERM' | 'KILL'): Script {
  return { name: 'kill', text: KILL, input: line(name) + line(pidList(pids)) };
}

export function renderTerminateGroups(pids: readonly Pid[], spared: number): Script {
  return { name: 'terminate-groups', text: TERMINATE_GROUPS, input: line(spared) + line(pidList(pids)) };
}

/** Which of the pids still run. */
export function renderRunning(pids: readonly Pid[]): Script {
  return { name: 'running', text: RUNNING, input: line(pidList(pids)) };
}

export function parseRunning(output: string): readonly Pid[] {
  return output.split('\n').flatMap((row) => {
    const match = /^running (\d+) (\d+)$/.exec(row);
    return match ? [{ pid: Number(match[1]), start: Number(match[2]) }] : [];
  });
}

/** What `vigil_each_pid` reads: all in one line, so that reading them takes no process each. */
export function pidList(pids: readonly Pid[]): string {
  return pids.map(({ pid, start }) => `${pid}:${start}`).join(',');
}

/**
 * `vigil_each_pid` calls vigil_use with vigil_p and vigil_begun for those that still are the same processes, looked at right before: a pid
 * may have been given to another process since.
 */
const EACH_PID = `
vigil_each_pid() {
  vigil_word
  IFS=,
  set -- $vigil_w
  unset IFS
  for vigil_item in "$@"; do
    vigil_p=\${vigil_item%:*} vigil_begun=\${vigil_item#*:}
    ! vigil_same "$vigil_p" "$vigil_begun" || vigil_use
  done
}
`;

const KILL = `
LC_ALL=C
${READ_STAT}${EACH_PID}
vigil_word; vigil_name=$vigil_w
vigil_failed=0
vigil_use() {
  if ! kill -$vigil_name "$vigil_p" && vigil_same "$vigil_p" "$vigil_begun"; then vigil_failed=1; fi
}
vigil_each_pid
exit $vigil_failed
`;

/** Prints the rows that parseRunning reads. */
export const TELL_RUNNING = `${EACH_PID}
vigil_use() { printf 'running %s %s\\n' "$vigil_p" "$vigil_begun"; }
vigil_each_pid
`;

const RUNNING = `
LC_ALL=C
${READ_STAT}${TELL_RUNNING}`;

/** Groups 0 and 1 are never signalled as such: kill would take them for one's own group and for all processes there are. */
const TERMINATE_GROUPS = `
LC_ALL=C
${READ_STAT}${EACH_PID}
vigil_word; vigil_spared=$vigil_w
vigil_failed=0 vigil_done=' '
vigil_use() {
  case $vigil_done in *" $vigil_group "*) return ;; esac
  vigil_to=$vigil_p
  if [ "$vigil_group" -gt 1 ] && [ "$vigil_group" != "$vigil_spared" ]; then
    vigil_to=-$vigil_group
    vigil_done="$vigil_done$vigil_group "
  fi
  [ "$vigil_to" != "$vigil_spared" ] || return
  if ! kill -TERM "$vigil_to" && vigil_same "$vigil_p" "$vigil_begun"; then vigil_failed=1; fi
}
vigil_each_pid
exit $vigil_failed
`;
