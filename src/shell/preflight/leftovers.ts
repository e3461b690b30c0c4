/** Processes of vLLM and of trainers whose parent has ended. */

import type { LeftBehind } from '../../host/preflight.ts';
import { DESCRIBE } from '../owner.ts';
import { READ_STAT } from '../process.ts';
import type { Script } from '../script.ts';
import { allOf, readFields, SAY } from './fields.ts';

const MOST = 64;

/** null when the answer isn't whole. */
export function parseLeftovers(output: string): readonly LeftBehind[] | null {
  const fields = readFields(output);
  if (fields === null) return null;
  return allOf(fields, 'left').map((text) => {
    const [pid, since = '-', run = '-', user = '-', ...command] = text.split(' ');
    return {
      pid: Number(pid),
      command: command.join(' ').trim().slice(0, 200),
      user: user === '-' ? null : user,
      since: since === '-' ? null : Number(since),
      run: run === '-' ? null : run,
    };
  });
}

/**
 * An orphan's parent is process 1, or whoever takes orphans in by name (a user's systemd, a container's init). Where process 1 is a server or a
 * trainer itself, as in a container of vLLM's, its children are none; a supervisor that is written in Python is neither. A worker or an engine core is told by its title; a main server is never
 * one: it may have been detached on purpose. A torchrun rank has no title: it leads a session of its own and has torchrun's mark in its
 * environment. What the builtin `read` makes of a command line has lost its NULs.
 */
export const LEFTOVERS: Script = {
  name: 'leftovers',
  input: '',
  text: `
LC_ALL=C
${READ_STAT}${DESCRIBE}${SAY}
vigil_inits=' 1 '
vigil_words_of() {
  vigil_words=
  { IFS= read -r vigil_words <"/proc/$1/cmdline"; } 2>/dev/null
}
vigil_words_of 1
case $vigil_words in
  *supervisord* | *jupyter*) ;;
  *vllm* | *VLLM::* | *torchrun* | *python*) vigil_inits=' ' ;;
esac
vigil_is_orphan() {
  case $vigil_inits in *" $vigil_parent "*) return 0 ;; esac
  { IFS= read -r vigil_name <"/proc/$vigil_parent/comm"; } 2>/dev/null || return 1
  case $vigil_name in systemd | init | tini | dumb-init | docker-init | catatonit | conmon | containerd-shim*) ;; *) return 1 ;; esac
  [ "$vigil_parent" != 1 ]
}
vigil_is_rank() {
  [ "$vigil_session" = "$1" ] || return 1
  vigil_within 1 tr '\\000' '\\n' 2>/dev/null <"/proc/$1/environ" | grep -q '^TORCHELASTIC_RUN_ID='
}
vigil_is_left() {
  vigil_stat "$1" || return 1
  vigil_is_orphan || return 1
  { IFS= read -r vigil_name <"/proc/$1/comm"; } 2>/dev/null || return 1
  vigil_words_of "$1"
  case $vigil_name in VLLM::*) [ -n "$vigil_words" ] || vigil_words=$vigil_name ;; esac
  case $vigil_name in VLLM::APIServ*) return 1 ;; VLLM::*) return 0 ;; esac
  case $vigil_words in
    VLLM::APIServer*) return 1 ;;
    VLLM::*) return 0 ;;
    *python* | *torchrun*) vigil_is_rank "$1" ;;
    *) return 1 ;;
  esac
}
vigil_all=$(cat /proc/[0-9]*/stat 2>/dev/null)
vigil_orphans= vigil_count=0
set -f; IFS='
'
for vigil_raw in $vigil_all; do
  vigil_rest=\${vigil_raw##*) }
  vigil_rest=\${vigil_rest#* }
  case \${vigil_rest%% *} in 0 | 2) ;; *) vigil_orphans="$vigil_orphans \${vigil_raw%% *}" ;; esac
done
set +f; unset IFS
for vigil_p in $vigil_orphans; do
  vigil_is_left "$vigil_p" || continue
  vigil_count=$((vigil_count + 1))
  [ $vigil_count -le ${MOST} ] || break
  vigil_describe "$vigil_p"
  vigil_say left "$vigil_p $vigil_since $vigil_mark $vigil_user \${vigil_command:-$vigil_name}"
done
vigil_say told
`,
};
