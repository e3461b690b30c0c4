/** Processes with all that descend from them, each with the words of its command line. */

import type { Family, Process } from '../host/process.ts';
import { DESCRIBE } from './owner.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

/** `start` null: whatever process has the pid now. */
export function renderFamily(roots: readonly { readonly pid: number; readonly start: number | null }[]): Script {
  const asked = roots.map(({ pid, start }) => `${pid}:${start ?? '-'}`).join(',');
  return { name: 'family', text: FAMILY, input: line(asked) };
}

/** Parents before their children; null when the answer isn't whole. */
export function parseFamily(output: string): Family | null {
  const fields = output.split('\0');
  const end = fields.at(-2);
  if (end !== 'whole' && end !== 'self') return null;
  const processes: Process[] = [];
  for (let at = 0; at + FIELDS < fields.length - 1; at += FIELDS)
    processes.push(readProcess(fields.slice(at, at + FIELDS)));
  return { processes, hasSelf: end === 'self' };
}

/** Each ends with NUL; the words of a command line are split by the unit separator. */
const FIELDS = 9;
const SEPARATOR = '\x1f';

function readProcess(fields: readonly string[]): Process {
  const [pid, start, parent, group, since = '-', run = '-', user = '-', name = '', words = ''] = fields;
  return {
    pid: Number(pid),
    start: Number(start),
    parent: Number(parent),
    group: Number(group),
    since: since === '-' ? null : Number(since),
    run: run === '-' ? null : run,
    user: user === '-' ? null : user,
    name,
    argv: wordsOf(words.split(SEPARATOR)),
  };
}

/** A program that gives itself a title leaves blanks and empty words behind it. */
function wordsOf(words: readonly string[]): readonly string[] {
  const last = words.findLastIndex((word) => word.trim() !== '');
  return words.slice(0, last + 1).map((word, at) => (at === last ? word.trimEnd() : word));
}

/**
 * Parents are read a second time when told, since a name with a line break could forge a row of stat. \`self\` = this very script descends
 * from them, and with it the connection that runs it.
 */
const FAMILY = `
LC_ALL=C
${READ_STAT}${DESCRIBE}
vigil_word
vigil_roots=' '
IFS=,
set -- $vigil_w
unset IFS
for vigil_item in "$@"; do
  vigil_stat "\${vigil_item%:*}" || continue
  case \${vigil_item#*:} in - | "$vigil_start") ;; *) continue ;; esac
  case $vigil_roots in *" \${vigil_item%:*} "*) ;; *) vigil_roots="$vigil_roots\${vigil_item%:*} " ;; esac
done
vigil_rows=
vigil_all=$(cat /proc/[0-9]*/stat 2>/dev/null)
set -f; IFS='
'
for vigil_raw in $vigil_all; do
  vigil_rest=\${vigil_raw##*) }
  vigil_rest=\${vigil_rest#* }
  vigil_rows="$vigil_rows\${vigil_raw%% *} \${vigil_rest%% *}
"
done
vigil_family=$vigil_roots vigil_more=1
[ "$vigil_roots" != ' ' ] || vigil_more=
while [ -n "$vigil_more" ]; do
  vigil_more=
  for vigil_row in $vigil_rows; do
    case $vigil_family in *" \${vigil_row%% *} "*) continue ;; *" \${vigil_row##* } "*) ;; *) continue ;; esac
    vigil_family="$vigil_family\${vigil_row%% *} " vigil_more=1
  done
done
set +f; unset IFS
vigil_tell() {
  vigil_stat "$1" || return 0
  case $vigil_roots in
    *" $1 "*) ;;
    *) case $vigil_family in *" $vigil_parent "*) ;; *) return 0 ;; esac ;;
  esac
  vigil_name=\${vigil_raw#*\\(}
  vigil_about "$1"
  vigil_mark_of "$1"
  vigil_command=$(tr '\\000\\037' '\\037 ' 2>/dev/null <"/proc/$1/cmdline" | head -c 16384)
  printf '%s\\0' "$1" "$vigil_start" "$vigil_parent" "$vigil_group" "$vigil_since" "$vigil_mark" "$vigil_user" "\${vigil_name%)*}" "$vigil_command"
}
for vigil_p in $vigil_family; do vigil_tell "$vigil_p"; done
case $vigil_family in *" $$ "*) printf 'self\\0' ;; *) printf 'whole\\0' ;; esac
`;
