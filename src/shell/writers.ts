/** Who writes a file: by open descriptor, and through a pipe by process group. */

import type { Writer } from '../host/process.ts';
import { READ_DESCRIPTOR } from './descriptor.ts';
import { DESCRIBE } from './owner.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export function renderWriters(path: string): Script {
  return { name: 'writers', text: WRITERS, input: line(path) };
}

/** Those who have the file open first. */
export function parseWriters(output: string): readonly Writer[] {
  const fields = output.split('\0');
  const writers: Writer[] = [];
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) writers.push(readWriter(fields.slice(at, at + FIELDS)));
  return writers.sort((one, other) => Number(one.by === 'group') - Number(other.by === 'group'));
}

/** Each ends with NUL, which no name or command line holds. */
const FIELDS = 10;

function readWriter(fields: readonly string[]): Writer {
  const [pid, start, parent, group, by, since = '-', run = '-', user = '-', name = '', command = ''] = fields;
  return {
    pid: Number(pid),
    start: Number(start),
    parent: Number(parent),
    group: Number(group),
    name,
    by: by === 'group' ? 'group' : 'open',
    command: command.trim().slice(0, 400),
    user: user === '-' ? null : user,
    since: since === '-' ? null : Number(since),
    run: run === '-' ? null : run,
  };
}

/**
 * A writer whose standard input is a pipe only passes on what others print, so its group is told too: the shell that made the pipeline and
 * all its parts. Groups are read a second time when told, since a name with a line break could forge a row of stat. Group 0 is that of
 * processes outside of this container, never one's own.
 */
const WRITERS = `
LC_ALL=C
${READ_STAT}${READ_DESCRIPTOR}${DESCRIBE}
vigil_path; vigil_file=$vigil_w
[ -f "$vigil_file" ] || exit 0
vigil_found=' ' vigil_groups=' '
for vigil_fd in /proc/[0-9]*/fd/*; do
  vigil_opens "$vigil_fd" "$vigil_file" || continue
  case $vigil_found in *" $vigil_holder "*) continue ;; esac
  vigil_found="$vigil_found$vigil_holder "
  if [ -p "/proc/$vigil_holder/fd/0" ] && vigil_stat "$vigil_holder"; then vigil_groups="$vigil_groups$vigil_group "; fi
done
vigil_tell() {
  vigil_stat "$1" || return 0
  case $2$vigil_groups in group*" $vigil_group "*) ;; group*) return 0 ;; esac
  vigil_name=\${vigil_raw#*\\(}
  vigil_describe "$1"
  printf '%s\\0' "$1" "$vigil_start" "$vigil_parent" "$vigil_group" "$2" "$vigil_since" "$vigil_mark" "$vigil_user" "\${vigil_name%)*}" "$vigil_command"
}
for vigil_p in $vigil_found; do vigil_tell "$vigil_p" open; done
[ "$vigil_groups" != ' ' ] || exit 0
vigil_all=$(cat /proc/[0-9]*/stat 2>/dev/null)
vigil_members=
set -f; IFS='
'
for vigil_raw in $vigil_all; do
  vigil_p=\${vigil_raw%% *} vigil_rest=\${vigil_raw##*) }
  case $vigil_p in *[!0-9]*) continue ;; esac
  case $vigil_found in *" $vigil_p "*) continue ;; esac
  vigil_rest=\${vigil_rest#* * }
  case $vigil_groups in *" \${vigil_rest%% *} "*) vigil_members="$vigil_members $vigil_p" ;; esac
done
set +f; unset IFS
for vigil_p in $vigil_members; do
  [ "$vigil_p" = $$ ] || vigil_tell "$vigil_p" group
done
`;
