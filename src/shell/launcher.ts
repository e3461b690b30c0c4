/**
 * The launcher: a session leader that starts the child, waits and leaves the exit record. It gets everything on stdin, so no value stands in
 * its argv or in a file. All names begin with `vigil_` and stay unexported; only the child exports, and only the run's own variables.
 */

import { READ_DESCRIPTOR } from './descriptor.ts';
import { PAUSE, READ_CLOCK, READ_STAT } from './process.ts';
import { HOME_PATH, READ_WORD } from './script.ts';

/**
 * Runs under umask and locale of the SSH session. Says one line: `refused CODE DETAIL`, `taken` or `ended STATUS`.
 * HUP, INT, TERM and PIPE are trapped, not ignored: an ignored signal would stay ignored in the child. A log that is open for writing is
 * refused, unless a former attempt of this run has it: that one has lost its claim and ends by itself. Once a run has started, nothing is
 * moved any more: what stands there may be its own. Another attempt at the same moment may have moved a log first.
 */
export const LAUNCHER = `
trap : HUP INT TERM PIPE
vigil_umask=$(umask)
vigil_locale=unset
[ -z "\${LC_ALL+x}" ] || vigil_locale=set$LC_ALL
LC_ALL=C
umask 077
${READ_WORD}${HOME_PATH}${READ_STAT}${READ_CLOCK}${READ_DESCRIPTOR}${PAUSE}
vigil_path; vigil_folder=$vigil_w
vigil_word; vigil_claim=$vigil_w
vigil_word; printf '%s\\n' "$vigil_w" >"$vigil_folder/.request.$vigil_claim"
vigil_path; vigil_directory=$vigil_w
vigil_path; vigil_log=$vigil_w
vigil_word; vigil_olders=$vigil_w
vigil_i=0
while [ $vigil_i -lt $vigil_olders ]; do
  vigil_i=$((vigil_i + 1))
  vigil_path; eval "vigil_older_$vigil_i=\\$vigil_w"
done
vigil_word; vigil_has_prelude=$vigil_w
vigil_word; vigil_prelude=$vigil_w
vigil_word; vigil_variables=$vigil_w
vigil_i=0
: >"$vigil_folder/.names.$vigil_claim"
while [ $vigil_i -lt $vigil_variables ]; do
  vigil_i=$((vigil_i + 1))
  vigil_word; eval "vigil_name_$vigil_i=\\$vigil_w"
  printf '%s\\n' "$vigil_w" >>"$vigil_folder/.names.$vigil_claim"
  vigil_word; eval "vigil_value_$vigil_i=\\$vigil_w"
done
vigil_word; vigil_words=$vigil_w
set --
: >"$vigil_folder/.argv.$vigil_claim"
while [ $# -lt $vigil_words ]; do
  vigil_word; set -- "$@" "$vigil_w"
  printf '%s\\n' "$vigil_line" >>"$vigil_folder/.argv.$vigil_claim"
done
vigil_word
[ "$vigil_w" = end ] || exit 74
exec </dev/null
cd "$vigil_folder" || exit 73
mv ".argv.$vigil_claim" argv
mv ".names.$vigil_claim" environment.names
mv ".request.$vigil_claim" request

vigil_refuse() {
  printf 'refused %s %s\\n' "$1" "$(printf '%s' "$2" | tr '\\n' ' ')"
  exit 125
}
vigil_set_locale() {
  case $vigil_locale in unset) unset LC_ALL ;; *) LC_ALL=\${vigil_locale#set} ;; esac
}
vigil_export() {
  vigil_i=0
  while [ $vigil_i -lt $vigil_variables ]; do
    vigil_i=$((vigil_i + 1))
    eval "vigil_name=\\$vigil_name_$vigil_i"
    eval "export $vigil_name=\\"\\$vigil_value_$vigil_i\\""
  done
}
vigil_find_program() {
  case $vigil_has_prelude$1 in 1* | 0*/*) return ;; esac
  (vigil_export 2>/dev/null; command -v "$1" >/dev/null 2>&1) || vigil_refuse program "$1"
}
vigil_writer() {
  for vigil_fd in /proc/[0-9]*/fd/*; do
    ! vigil_opens "$vigil_fd" "$1" || return 0
  done
  return 1
}
vigil_is_former() {
  for vigil_other in "$vigil_folder"/pid.*; do
    ! grep -q "^pid $vigil_holder " "$vigil_other" 2>/dev/null || return 0
  done
  return 1
}
vigil_move_aside() {
  vigil_aside=
  [ -e "$1" ] || return 0
  [ -f "$1" ] || vigil_refuse log-kind "$1"
  vigil_i=0
  while vigil_writer "$1"; do
    vigil_is_former || vigil_refuse log-held "$vigil_holder $1"
    [ ! -e "$vigil_folder/started" ] && [ $vigil_i -lt 30 ] || exit 125
    vigil_i=$((vigil_i + 1))
    vigil_pause
  done
  [ -s "$1" ] || return 0
  vigil_aside=$1.$(date -u +%Y%m%dT%H%M%SZ)
  [ ! -e "$vigil_aside" ] || vigil_aside=$vigil_aside.$vigil_claim
  [ ! -e "$vigil_folder/started" ] || exit 125
  if vigil_why=$(mv "$1" "$vigil_aside" 2>&1); then
    [ -e "$vigil_folder/started" ] || return 0
    # Another launch started between the look and the move: a log newer than that start is its own.
    [ -e "$1" ] || ! [ "$vigil_aside" -nt "$vigil_folder/started" ] || mv "$vigil_aside" "$1"
    exit 125
  fi
  [ ! -e "$1" ] || vigil_refuse log-aside "$vigil_why"
  vigil_aside=
}
vigil_open_log() {
  while [ $vigil_olders -gt 0 ]; do
    eval "vigil_move_aside \\"\\$vigil_older_$vigil_olders\\""
    vigil_olders=$((vigil_olders - 1))
  done
  vigil_move_aside "$vigil_log"
  [ -z "$vigil_aside" ] || printf '%s\\n' "$vigil_aside" >"$vigil_folder/moved"
  vigil_why=$( { : >>"$vigil_log"; } 2>&1) || vigil_refuse log "$vigil_log \${vigil_why##*: }"
  [ "$vigil_log" = "$vigil_folder/log" ] || ln -sfn "$vigil_log" "$vigil_folder/log"
}
vigil_record() {
  ! vigil_stat $$ || printf '%s %s\\n' "$$" "$vigil_start" >"$vigil_folder/launcher.$vigil_claim"
  vigil_boot
  IFS= read -r vigil_raw </proc/self/stat
  vigil_split \${vigil_raw##*) }
  vigil_clock
  {
    printf 'pid %s %s %s\\n' "\${vigil_raw%% *}" "$vigil_start" "$vigil_session"
    printf 'boot %s\\ninit %s\\nshell %s\\nat %s\\nlog %s\\n' \\
      "$vigil_boot_id" "$vigil_init" "$vigil_shell" "$vigil_now" "$vigil_log"
    [ ! -f "$vigil_folder/moved" ] || printf 'moved %s\\n' "$(cat "$vigil_folder/moved")"
  } >"$vigil_folder/.pid.$vigil_claim"
  mv "$vigil_folder/.pid.$vigil_claim" "$vigil_folder/pid.$vigil_claim"
}

(
  trap : PIPE
  if [ -n "$vigil_directory" ]; then
    vigil_why=$(cd -- "$vigil_directory" 2>&1) || vigil_refuse directory "$vigil_directory"
    cd -- "$vigil_directory"
  else
    cd
  fi
  vigil_shell=-
  if [ "$vigil_has_prelude" = 1 ]; then
    vigil_shell=sh
    ! command -v bash >/dev/null 2>&1 || vigil_shell=bash
  fi
  vigil_find_program "$1"
  vigil_open_log
  vigil_record
  vigil_ln=$(command -v ln)
  exec 3>&1 >>"$vigil_log" 2>&1
  umask "$vigil_umask"
  vigil_set_locale 2>/dev/null
  vigil_export
  if ! "$vigil_ln" "$vigil_folder/claim.$vigil_claim" "$vigil_folder/started" 3>&- 2>/dev/null; then
    [ ! -e "$vigil_folder/claim.$vigil_claim" ] || [ -e "$vigil_folder/started" ] || vigil_refuse links "$vigil_folder" >&3
    exit 125
  fi
  printf 'taken\\n' 2>/dev/null >&3
  [ "$vigil_has_prelude" = 0 ] || exec "$vigil_shell" -c "$vigil_prelude
exec \\"\\$@\\"" "$1" "$@" 3>&-
  exec "$@" 3>&-
)
vigil_status=$?
vigil_taken=
{ IFS= read -r vigil_taken <started; } 2>/dev/null
if [ "$vigil_taken" = "$vigil_claim" ]; then
  vigil_clock
  printf '%s %s\\n' "$vigil_status" "$vigil_now" >.exit.new
  mv .exit.new exit
else
  mv "claim.$vigil_claim" "void.$vigil_claim" 2>/dev/null
fi
printf 'ended %s\\n' "$vigil_status" 2>/dev/null
`;
