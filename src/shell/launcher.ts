/**
 * The launcher: a session leader that starts the child, waits and leaves the exit record. It gets everything on stdin, so no value stands in
 * its argv or in a file. All names begin with `vigil_` and stay unexported; only the child exports, and only the run's own variables.
 */

import { OPEN_LOG } from './aside.ts';
import { RESOLVE } from './find-program.ts';
import { READ_LOGIND } from './logind.ts';
import { READ_CLOCK, READ_STAT } from './process.ts';
import { HOME_PATH, READ_WORD } from './script.ts';

/** Words are put into "$@" so many at a time: a shell copies all that stand there already. */
const READ_ARGV = `
vigil_word; vigil_words=$vigil_w
set --
vigil_i=0
vigil_chunk=
while [ $vigil_i -lt $vigil_words ]; do
  vigil_word
  printf '%s\\n' "$vigil_line"
  eval "vigil_arg_$((vigil_i % 128))=\\$vigil_w"
  vigil_chunk="$vigil_chunk \\"\\$vigil_arg_$((vigil_i % 128))\\""
  vigil_i=$((vigil_i + 1))
  if [ $((vigil_i % 128)) = 0 ] || [ $vigil_i = $vigil_words ]; then
    eval "set -- \\"\\$@\\"$vigil_chunk"
    vigil_chunk=
  fi
done >"$vigil_folder/.argv.$vigil_claim"
`;

/** Everything that comes on stdin; nothing is done before all of it is there. */
const READ_SPEC = `
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
vigil_word; vigil_weight=$vigil_w
vigil_word; vigil_variables=$vigil_w
vigil_i=0
: >"$vigil_folder/.names.$vigil_claim"
while [ $vigil_i -lt $vigil_variables ]; do
  vigil_i=$((vigil_i + 1))
  vigil_word; eval "vigil_name_$vigil_i=\\$vigil_w"
  printf '%s\\n' "$vigil_w" >>"$vigil_folder/.names.$vigil_claim"
  vigil_word; eval "vigil_value_$vigil_i=\\$vigil_w"
done
${READ_ARGV}
vigil_word
[ "$vigil_w" = end ] || exit 74
exec </dev/null
`;

/**
 * What can be found out before the claim is used up. The exec of a program that does nothing is the only sure way to know whether the kernel
 * takes these words; what it counts is told for people only (execve(2): a quarter of the stack limit, at least 128 KiB, at most 6 MiB).
 */
const TRY = `
vigil_export() {
  vigil_i=0
  while [ "$vigil_i" -lt "$vigil_variables" ]; do
    vigil_i=$((vigil_i + 1))
    eval "vigil_name=\\$vigil_name_$vigil_i"
    eval "export $vigil_name=\\"\\$vigil_value_$vigil_i\\""
    eval "case \\"\\$$vigil_name\\" in \\"\\$vigil_value_$vigil_i\\") ;; *) return 1 ;; esac"
  done
}
vigil_try() {
  vigil_why=$(trap 'printf "%s\\n" "$vigil_name"' EXIT; vigil_export 2>/dev/null) || vigil_refuse variable "$vigil_why"
  (vigil_export; vigil_resolve "$1" "$PATH") || vigil_refuse program "$1"
  vigil_sh=$(command -v sh)
  (vigil_export; exec "$vigil_sh" -c : "$PATH${'.'.repeat(512)}" "$1" "$@") 2>/dev/null
  [ $? != 126 ] || vigil_refuse too-long "$((vigil_weight + $(env | wc -c) + 8 * $(env | wc -l))) $(ulimit -s)"
}
`;

const RECORD = `
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
    [ -z "$vigil_ender" ] || printf 'ender %s\\n' "$vigil_ender"
  } >"$vigil_folder/.pid.$vigil_claim"
  mv "$vigil_folder/.pid.$vigil_claim" "$vigil_folder/pid.$vigil_claim"
}
`;

/**
 * Renaming a folder is what no other attempt can do at the same time: it fails when the claim is void, and an existing \`started\` is never
 * replaced, since it isn't empty; a second \`mv\` may put its claim inside, which says nothing. So what \`started\` holds decides, not whether
 * \`mv\` failed: over NFS an answer may be lost. The move runs in the login's environment, since the run's own may break a program, and before the
 * log is opened: what stands still there must not seem to write it. Under sshd many builds of bash read ~/.bashrc before \`-c\`, which would change
 * the run's environment: not with --norc.
 */
const CHILD = `
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
    set -- -c "$vigil_prelude
exec \\"\\$@\\"" "$1" "$@"
    [ $vigil_shell = sh ] || set -- --norc "$@"
    set -- "$(command -v $vigil_shell)" "$@"
  fi
  vigil_try "$@"
  vigil_ender=$(vigil_logind '')
  vigil_open_log
  vigil_record
  umask "$vigil_umask"
  vigil_why=$(mv "$vigil_folder/claim.$vigil_claim" "$vigil_folder/started" 2>&1)
  vigil_taken=
  { IFS= read -r vigil_taken <"$vigil_folder/started/name"; } 2>/dev/null
  if [ "$vigil_taken" != "$vigil_claim" ]; then
    [ ! -e "$vigil_folder/claim.$vigil_claim" ] || [ -e "$vigil_folder/started" ] || vigil_refuse claim "$vigil_why"
    exit 125
  fi
  printf 'taken\\n' 2>/dev/null
  exec >>"$vigil_log" 2>&1
  vigil_set_locale 2>/dev/null
  vigil_export
  exec "$@"
)
`;

/**
 * Runs under umask and locale of the SSH session. Says one line: `refused CODE DETAIL`, `taken` or `ended STATUS`.
 * HUP, INT, TERM and PIPE are trapped, not ignored: an ignored signal would stay ignored in the child.
 */
export const LAUNCHER = `
trap : HUP INT TERM PIPE
vigil_umask=$(umask)
vigil_locale=unset
[ -z "\${LC_ALL+x}" ] || vigil_locale=set$LC_ALL
LC_ALL=C
umask 077
${READ_WORD}${HOME_PATH}${READ_STAT}${READ_CLOCK}${READ_LOGIND}
vigil_refuse() {
  printf 'refused %s %s\\n' "$1" "$(printf '%s' "$2" | tr '\\n' ' ')"
  exit 125
}
vigil_set_locale() {
  case $vigil_locale in unset) unset LC_ALL ;; *) LC_ALL=\${vigil_locale#set} ;; esac
}
${RESOLVE}${OPEN_LOG}${TRY}${RECORD}${READ_SPEC}
cd "$vigil_folder" || exit 73
mv ".argv.$vigil_claim" argv
mv ".names.$vigil_claim" environment.names
mv ".request.$vigil_claim" request
${CHILD}
vigil_status=$?
vigil_taken=
{ IFS= read -r vigil_taken <started/name; } 2>/dev/null
if [ "$vigil_taken" = "$vigil_claim" ]; then
  vigil_clock
  printf '%s %s\\n' "$vigil_status" "$vigil_now" >.exit.new
  mv .exit.new exit
else
  mv "claim.$vigil_claim" "void.$vigil_claim" 2>/dev/null
fi
printf 'ended %s\\n' "$vigil_status" 2>/dev/null
`;
