/** Signals, pid by pid, each only to the process that it was meant for; and what they left. */

import type { Pid } from '../host/process.ts';
import type { Leftover, Remaining, Terminate } from '../host/stop.ts';
import { DESCRIBE } from './owner.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

/** TERM asks, KILL ends. Says nothing of those that this user may not signal: who looks afterwards finds them. */
export function renderKill(pids: readonly Pid[], name: 'TERM' | 'KILL'): Script {
  return { name: 'kill', text: KILL, input: line(name) + line(pidList(pids)) };
}

/** A stop's first signal: see Host.terminate. */
export function renderTerminate({ folder, pids, spared, to }: Terminate): Script {
  const input = line(folder.path) + line(to) + line(spared) + line(pidList(pids));
  return { name: 'terminate', text: TERMINATE, input };
}

/** null when the answer isn't one of the contract's. */
export function parseTerminate(output: string): 'given' | 'before' | null {
  const answer = output.trim();
  return answer === 'given' || answer === 'before' ? answer : null;
}

/** Which of the pids still run. */
export function renderRunning(pids: readonly Pid[]): Script {
  return { name: 'running', text: RUNNING, input: line(pidList(pids)) };
}

export function parseRunning(output: string): readonly Pid[] {
  return parseRemaining(output).map(({ pid, start }) => ({ pid, start }));
}

export function parseRemaining(output: string): readonly Remaining[] {
  return output.split('\n').flatMap((row) => {
    const match = /^running (\d+) (\d+) (\d+) (\S) (yes|no)$/.exec(row);
    if (!match) return [];
    const [, pid, start, parent, state = '', may] = match;
    return [{ pid: Number(pid), start: Number(start), parent: Number(parent), state, isOurs: may === 'yes' }];
  });
}

/** Those of the pids that another user's process has now, where the host hides such processes. */
export function parseHidden(output: string): readonly Pid[] {
  return output.split('\n').flatMap((row) => {
    const match = /^hidden (\d+) (\d+)$/.exec(row);
    return match ? [{ pid: Number(match[1]), start: Number(match[2]) }] : [];
  });
}

/** What a person wants to know of those that still run. */
export function renderLeft(pids: readonly Pid[]): Script {
  return { name: 'left', text: LEFT, input: line(pidList(pids)) };
}

export function parseLeft(output: string): readonly Leftover[] {
  return output.split('\n').flatMap((row) => {
    const match = /^left (\d+) (\S) (\S+) (yes|no) (.*)$/.exec(row);
    if (!match) return [];
    const [, pid, state = '', user = '-', may, command = ''] = match;
    const isOurs = may === 'yes';
    return [{ pid: Number(pid), state, user: user === '-' ? null : user, isOurs, command: command.trim() }];
  });
}

/** What `vigil_each_pid` reads: all in one line, so that reading them takes no process each. */
export function pidList(pids: readonly Pid[]): string {
  return pids.map(({ pid, start }) => `${pid}:${start}`).join(',');
}

/**
 * `vigil_read_pids` reads the list. `vigil_each_pid` calls vigil_use with vigil_p and vigil_begun for those that still are the same
 * processes, looked at right before: a pid may have been given to another process since; and vigil_miss for the others.
 */
const EACH_PID = `
vigil_read_pids() { vigil_word; vigil_list=$vigil_w; }
vigil_miss() { :; }
vigil_each_pid() {
  IFS=,
  set -- $vigil_list
  unset IFS
  for vigil_item in "$@"; do
    vigil_p=\${vigil_item%:*} vigil_begun=\${vigil_item#*:}
    if vigil_same "$vigil_p" "$vigil_begun"; then vigil_use; else vigil_miss; fi
  done
}
`;

/** A process that somebody halted (T) takes TERM only when it goes on. */
const TERM = `
vigil_term() {
  kill -TERM "$1" 2>/dev/null
  [ "$vigil_state" != T ] || kill -CONT "$1" 2>/dev/null
}
`;

/** Before KILL all are halted, so that none sees another die and starts it anew. */
const KILL = `
LC_ALL=C
trap '' HUP INT TERM PIPE
${READ_STAT}${EACH_PID}${TERM}
vigil_word; vigil_name=$vigil_w
vigil_read_pids
if [ "$vigil_name" = TERM ]; then
  vigil_use() { vigil_term "$vigil_p"; }
  vigil_each_pid
else
  vigil_use() { kill -STOP "$vigil_p" 2>/dev/null; }
  vigil_each_pid
  vigil_use() { kill -KILL "$vigil_p" 2>/dev/null; }
  vigil_each_pid
fi
exit 0
`;

/** Prints the rows that parseRemaining and parseHidden read. Where /proc hides PID 1, it hides all processes of other users. */
export const TELL_RUNNING = `${EACH_PID}
vigil_use() {
  vigil_may=no
  ! kill -0 "$vigil_p" 2>/dev/null || vigil_may=yes
  printf 'running %s %s %s %s %s\\n' "$vigil_p" "$vigil_begun" "$vigil_parent" "$vigil_state" "$vigil_may"
}
vigil_miss() {
  [ ! -r /proc/1/stat ] && [ ! -r "/proc/$vigil_p/stat" ] || return 0
  case $(kill -0 "$vigil_p" 2>&1) in *ermitted*) printf 'hidden %s %s\\n' "$vigil_p" "$vigil_begun" ;; esac
}
vigil_read_pids
vigil_each_pid
`;

const RUNNING = `
LC_ALL=C
${READ_STAT}${TELL_RUNNING}`;

/** Of one that is caught in the kernel only the name is read: its command line may hold up whoever reads it. */
const LEFT = `
LC_ALL=C
${READ_STAT}${DESCRIBE}${EACH_PID}
vigil_use() {
  vigil_may=no vigil_command=
  ! kill -0 "$vigil_p" 2>/dev/null || vigil_may=yes
  vigil_about "$vigil_p"
  case $vigil_state in D | Z) ;; *) vigil_command=$(tr '\\000\\n' '  ' 2>/dev/null <"/proc/$vigil_p/cmdline" | head -c 400) ;; esac
  [ -n "$vigil_command" ] || { IFS= read -r vigil_command <"/proc/$vigil_p/comm"; } 2>/dev/null
  printf 'left %s %s %s %s %s\\n' "$vigil_p" "$vigil_state" "$vigil_user" "$vigil_may" "$vigil_command"
}
vigil_read_pids
vigil_each_pid
`;

/**
 * The mark in the run folder is made before the signal is given, and nothing but KILL comes between the two. Where no mark can be made (a full
 * disk) the signal is given all the same. Groups 0 and 1 are never signalled as such: kill would take them for one's own group and for all
 * processes there are. vLLM's children in the launcher's group are left to their server, which gets the signal and ends them.
 */
const TERMINATE = `
LC_ALL=C
trap '' HUP INT TERM PIPE
${READ_STAT}${EACH_PID}${TERM}
vigil_path; vigil_folder=$vigil_w
vigil_word; vigil_to=$vigil_w
vigil_word; vigil_spared=$vigil_w
vigil_read_pids
vigil_done=' '
vigil_use() {
  [ "$vigil_p" != "$vigil_spared" ] || return 0
  if [ "$vigil_to" = each ]; then vigil_term "$vigil_p"; return; fi
  case $vigil_done in *" $vigil_group "*) return ;; esac
  if [ "$vigil_group" -gt 1 ] && [ "$vigil_group" != "$vigil_spared" ]; then
    vigil_done="$vigil_done$vigil_group "
    vigil_term "-$vigil_group"
    return
  fi
  case $vigil_raw in *'(VLLM::'*) ;; *) vigil_term "$vigil_p" ;; esac
}
if [ -d "$vigil_folder" ] && ! mkdir "$vigil_folder/signalled" 2>/dev/null && [ -d "$vigil_folder/signalled" ]; then
  printf 'before\\n'
  exit 0
fi
vigil_each_pid
printf 'given\\n'
`;
