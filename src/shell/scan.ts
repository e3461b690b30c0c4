/** Finding the processes of a run, and what they used. */

import { LIMIT } from './limit.ts';

/**
 * `vigil_tell_io` puts what the io files of $vigil_files say, as far as this user may read them, into $vigil_io: `,pid:read:written:rchar` each.
 * The kernel has them in this order: rchar, read_bytes, write_bytes.
 */
export const TELL_IO = `
vigil_tell_io() {
  vigil_io=
  [ -n "$vigil_files" ] || return 0
  set -- $(grep -H -e '^rchar:' -e '^[rw][a-z]*_bytes:' $vigil_files 2>/dev/null)
  while [ $# -ge 6 ]; do
    vigil_p=\${1#/proc/} vigil_io="$vigil_io,\${vigil_p%%/*}:$4:$6:$2"
    shift 6
  done
}
`;

/**
 * `vigil_list FILE...` reads processes from their stat files; `vigil_scan` then picks those of one run and tells them in $vigil_tree, each with
 * what it used. Each way alone misses some (ranks have sessions of their own, setproctitle wipes environ, orphans lose their parent), so what
 * was seen is remembered in $vigil_seen and `tree`. The session counts only while the launcher leads it: its number may be given to others later. The launcher and its
 * helpers are never named. A run that Vigil didn't launch has no run folder, and none is made: there the main process and its children are all
 * that is known.
 *
 * The mark is looked for in $vigil_environs. A process that is caught in the kernel can hold up whoever reads its environ: such a look is given
 * up after three seconds, and made again file by file where $vigil_patient says so.
 */
export const SCAN = `${LIMIT}${TELL_IO}
vigil_list() {
  vigil_rows=
  vigil_all=$(cat "$@" 2>/dev/null)
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
  case $1 in *[!0-9]*) return ;; esac
  case $2 in [Xx]) return ;; Z) [ \${19} -gt 1 ] || return ;; esac
  vigil_rows="$vigil_rows$1 $3 $5 \${21} $((\${13} + \${14} + \${15} + \${16})) $9 \${11} \${23}
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
vigil_tell_of() {
  case $vigil_pids in *" $1 "*) ;; *) return ;; esac
  case $vigil_told, in *",$1:"*) return ;; esac
  vigil_found="$vigil_found $1:$4" vigil_told="$vigil_told,$1:$4:$5:$6:$7:$8"
  vigil_files="$vigil_files /proc/$1/io"
}
vigil_marks() { vigil_within "$1" grep "-lz$2" "$3" $4 2>/dev/null; }
vigil_marked() {
  [ -n "$vigil_environs" ] || return 0
  vigil_all=$(vigil_marks 3 xF "VIGIL_RUN=$vigil_run" "$vigil_environs")
  if [ $? -ge 124 ]; then
    [ -n "$vigil_patient" ] || { vigil_environs=; return 0; }
    vigil_all=$(for vigil_file in $vigil_environs; do vigil_marks 1 xF "VIGIL_RUN=$vigil_run" "$vigil_file"; done)
  fi
  for vigil_file in $vigil_all; do
    vigil_p=\${vigil_file#/proc/} vigil_p=\${vigil_p%/environ}
    case $vigil_pids in *" $vigil_p "*) continue ;; esac
    [ "$vigil_p" = "$vigil_sid" ] || vigil_add "$vigil_p"
  done
}
vigil_has_launcher() {
  { read -r vigil_n <"$vigil_folder/started/name" && read -r vigil_p vigil_n <"$vigil_folder/launcher.$vigil_n"; } 2>/dev/null &&
    [ "$vigil_p" = "$vigil_sid" ] && vigil_same "$vigil_p" "$vigil_n"
}
vigil_scan() {
  vigil_pids=' ' vigil_leads= vigil_found= vigil_told= vigil_files=
  ! vigil_has_launcher || vigil_leads=1
  vigil_each vigil_seed
  vigil_marked
  vigil_more=1
  while [ "$vigil_more" = 1 ]; do vigil_more=; vigil_each vigil_child; done
  vigil_each vigil_tell_of
  vigil_tell_io
  vigil_found=\${vigil_found# }
  if [ "$vigil_found" != "$vigil_seen" ] && [ -d "$vigil_folder" ]; then
    { printf '%s\\n' "$vigil_found" >"$vigil_folder/.tree.$$" && mv "$vigil_folder/.tree.$$" "$vigil_folder/tree"; } 2>/dev/null
  fi
  vigil_seen=$vigil_found
  vigil_told=\${vigil_told#,} vigil_io=\${vigil_io#,}
  vigil_tree="\${vigil_told:-none} \${vigil_io:-none}"
}
vigil_recall() { { IFS= read -r vigil_seen <"$vigil_folder/tree"; } 2>/dev/null; }
`;
