/** What a launch would meet on its host, for a person who asks before: a look that makes, moves and starts nothing. */

import type { LaunchSpec, Outlook } from '../host/launch.ts';
import { FIND_WRITER } from './aside.ts';
import { READ_LOGIND, readEnder } from './logind.ts';
import { readReason } from './refusal.ts';
import { line, type Script } from './script.ts';

export function renderFind(spec: LaunchSpec): Script {
  const ownPath = spec.environment.PATH;
  const input = [
    line(spec.path),
    line(spec.directory ?? ''),
    line(spec.log ?? `${spec.path}/log`),
    line(spec.aside.length),
    ...spec.aside.map(line),
    line(spec.prelude === null ? 0 : 1),
    line(ownPath === undefined ? 0 : 1),
    line(ownPath ?? ''),
    line(spec.argv[0] ?? ''),
  ];
  return { name: 'find', text: FIND, input: input.join('') };
}

/** null when the answer isn't whole. */
export function parseFind(output: string): Outlook | null {
  const rows = output
    .split('\0')
    .map((row) => ({ key: row.split(' ', 1).join(), value: row.slice(row.indexOf(' ') + 1) }));
  const value = (key: string): string | null => rows.find((row) => row.key === key)?.value ?? null;
  const [path, directory, log] = [value('path'), value('directory'), value('log')];
  if (path === null || directory === null || log === null || value('told') === null) return null;
  const older = value('older');
  return {
    program: value('program'),
    path,
    directory,
    log,
    olderLog: older === null ? null : Number(older),
    obstacles: rows.filter(({ key }) => key === 'obstacle').map((row) => readReason(row.value)),
    warnings: rows.filter(({ key }) => key === 'ender').map((row) => readEnder(row.value)),
  };
}

/**
 * `vigil_resolve NAME PATH` finds the file that exec would start, from the working directory on, and puts its absolute path into
 * $vigil_program. `command -v` would name a shell's own commands as well.
 */
export const RESOLVE = `
vigil_is_program() { [ -f "$vigil_program" ] && [ -x "$vigil_program" ]; }
vigil_resolve() {
  case $1 in
    /*) vigil_program=$1; vigil_is_program; return ;;
    */*) vigil_program=$PWD/$1; vigil_is_program; return ;;
  esac
  vigil_rest=$2:
  while [ -n "$vigil_rest" ]; do
    vigil_at=\${vigil_rest%%:*}
    vigil_rest=\${vigil_rest#*:}
    case $vigil_at in /*) ;; *) vigil_at=$PWD/$vigil_at ;; esac
    vigil_program=\${vigil_at%/}/$1
    ! vigil_is_program || return 0
  done
  return 1
}
`;

/** The rights are asked for, not tried: a file that is made for a trial could be in another's way. */
const FIND = `
LC_ALL=C
${FIND_WRITER}${RESOLVE}${READ_LOGIND}
vigil_say() { printf '%s %s\\0' "$1" "$2"; }
vigil_can_make() {
  vigil_above=$1
  while [ ! -e "$vigil_above" ] && [ -n "$vigil_above" ]; do vigil_above=\${vigil_above%/*}; done
  [ -d "\${vigil_above:-/}" ] && [ -w "\${vigil_above:-/}" ] && [ -x "\${vigil_above:-/}" ]
}
vigil_look() {
  vigil_above=\${1%/*}
  if [ -e "$1" ] && [ ! -f "$1" ]; then vigil_say obstacle "log-kind $1"; return; fi
  ! vigil_writer "$1" || { vigil_say obstacle "log-held $vigil_holder $1"; return; }
  [ ! -s "$1" ] || [ -w "\${vigil_above:-/}" ] || vigil_say obstacle "log-aside $1: Permission denied"
}
vigil_path; vigil_folder=$vigil_w
vigil_path; vigil_directory=$vigil_w
vigil_path; vigil_log=$vigil_w
vigil_word; vigil_olders=$vigil_w
while [ $vigil_olders -gt 0 ]; do
  vigil_path; vigil_look "$vigil_w"
  vigil_olders=$((vigil_olders - 1))
done
vigil_word; vigil_has_prelude=$vigil_w
vigil_words=$PATH
vigil_word; vigil_own=$vigil_w
vigil_word; [ "$vigil_own" = 0 ] || vigil_words=$vigil_w
vigil_word; vigil_first=$vigil_w
vigil_say path "$vigil_words"
vigil_say directory "\${vigil_directory:-$HOME}"
vigil_say log "$vigil_log"
command -v setsid >/dev/null 2>&1 || vigil_say obstacle setsid
vigil_can_make "$vigil_folder" || vigil_say obstacle "folder $vigil_folder: Permission denied"
vigil_look "$vigil_log"
[ ! -s "$vigil_log" ] || [ ! -f "$vigil_log" ] || vigil_say older "$(wc -c <"$vigil_log")"
if [ "$vigil_log" != "$vigil_folder/log" ] && [ ! -s "$vigil_log" ]; then
  vigil_above=\${vigil_log%/*}
  if [ -e "$vigil_log" ]; then [ -w "$vigil_log" ]; else [ -w "\${vigil_above:-/}" ] && [ -x "\${vigil_above:-/}" ]; fi ||
    vigil_say obstacle "log $vigil_log	Permission denied"
fi
if cd -- "\${vigil_directory:-$HOME}" 2>/dev/null; then
  if vigil_resolve "$vigil_first" "$vigil_words"; then
    vigil_say program "$vigil_program"
  elif [ "$vigil_has_prelude" = 0 ]; then
    vigil_say obstacle "program $vigil_first"
  fi
else
  vigil_say obstacle "directory $vigil_directory"
fi
vigil_ender=$(vigil_logind '')
[ -z "$vigil_ender" ] || vigil_say ender "$vigil_ender"
vigil_say told
`;
