/** The script that follows a log, after its opening. */

import { READ_GENERATION } from './generation.ts';
import { HEAD, OPEN_LOG } from './opening.ts';
import { READ_STAT } from './process.ts';

/** Seconds between two comparisons of the file's first bytes, and between two looks for whoever still writes a file that was moved. */
const HEAD_EVERY = 5;
const HOLDERS_EVERY = 5;

/**
 * A new follower ends the former one of its role, which stands in the run folder with its start time, and the former ends by itself once it
 * stands there no more; a training that was found has no run folder, and none is made. With its SSH session the script ends, too: its parent
 * is then another. A line on stderr now and then ends it where sshd has let go of the channel and nothing else would be written.
 */
const STAND_ALONE = `
vigil_fail() { printf '%s\\n' "$1" >&2; exit 1; }
vigil_self() { IFS= read -r vigil_raw </proc/self/stat; vigil_split \${vigil_raw##*) }; }
vigil_register() {
  vigil_self
  vigil_sshd=$vigil_parent vigil_tail=
  vigil_own="\${vigil_raw%% *} $vigil_start"
  if { read -r vigil_pid vigil_old <"$vigil_folder/$vigil_role"; } 2>/dev/null && vigil_same "$vigil_pid" "$vigil_old"; then
    [ "$vigil_group" != "$vigil_pid" ] || vigil_pid=-$vigil_pid
    kill -TERM "$vigil_pid" 2>/dev/null
  fi
  if [ -d "$vigil_folder" ] && { printf '%s\\n' "$vigil_own" >"$vigil_folder/.$vigil_role.$$"; } 2>/dev/null; then
    mv "$vigil_folder/.$vigil_role.$$" "$vigil_folder/$vigil_role"
  else
    vigil_role=
  fi
}
vigil_second() {
  sleep 1
  vigil_tick=$((vigil_tick + 1))
  [ $((vigil_tick % 30)) != 0 ] || echo >&2
  vigil_self
  [ "$vigil_parent" = "$vigil_sshd" ] || vigil_leave 'the SSH session has ended'
  if [ -n "$vigil_role" ] && { IFS= read -r vigil_w <"$vigil_folder/$vigil_role"; } 2>/dev/null; then
    [ "$vigil_w" = "$vigil_own" ] || vigil_leave 'another follower of this run took over'
  fi
}
vigil_leave() {
  [ -z "$vigil_tail" ] || kill "$vigil_tail" 2>/dev/null
  vigil_fail "$1"
}
`;

/**
 * Once a second; without a fork while nothing changes. Another file behind the name that has bytes is told when the opened one has been quiet for
 * a second, with inode and checksum of what comes next: a file that was begun and rotated away meanwhile, else the named one; and with 0 where
 * there may have been another. A process that has the opened file as its output goes on there, whatever stands behind the name.
 */
const LOOK = `
vigil_look() {
  [ $((vigil_tick % ${HEAD_EVERY})) != 0 ] || vigil_look_at_head
  if [ ! -f "$vigil_log" ] || [ ! -s "$vigil_log" ] || [ "$vigil_log" -ef /proc/self/fd/3 ]; then vigil_quiet=; return; fi
  [ $vigil_tick -ge $vigil_again ] || return 0
  vigil_identify
  if [ "$vigil_size" != "$vigil_quiet" ]; then vigil_quiet=$vigil_size; return; fi
  vigil_again=$((vigil_tick + ${HOLDERS_EVERY}))
  if vigil_is_output; then vigil_quiet=; return; fi
  vigil_looked=
  vigil_look_at_head
  vigil_find_next
  printf 'moved %s %s\\n' "$vigil_quiet" "$vigil_after" >&2
  vigil_quiet=
}
vigil_is_output() {
  for vigil_fd in /proc/[0-9]*/fd/[12]; do
    ! [ "$vigil_fd" -ef /proc/self/fd/3 ] || return 0
  done
  return 1
}
vigil_find_next() {
  vigil_between=$vigil_log vigil_sure=1
  vigil_last=$(stat -L -c %Y /proc/self/fd/3 2>/dev/null)
  for vigil_w in "$vigil_log".[0-9]* "$vigil_log"-[0-9]*; do
    [ -f "$vigil_w" ] && ! [ "$vigil_w" -ef /proc/self/fd/3 ] || continue
    ! [ "$vigil_w" -ot /proc/self/fd/3 ] && ! [ "$vigil_w" -nt "$vigil_between" ] || continue
    vigil_born=$(stat -L -c %W "$vigil_w" 2>/dev/null)
    case $vigil_born in
      '' | 0 | *[!0-9]*) vigil_sure=0 ;;
      *) if [ "$vigil_born" -lt "$vigil_last" ]; then vigil_sure=0; else vigil_between=$vigil_w; fi ;;
    esac
  done
  vigil_from_ls $(ls -Llni "$vigil_between" 2>/dev/null)
  vigil_n=\${vigil_size:-0}
  [ "$vigil_n" -le ${HEAD} ] || vigil_n=${HEAD}
  vigil_sum_of "$vigil_between" "$vigil_n" 2>/dev/null
  vigil_after="\${vigil_identity#* } $vigil_w $vigil_n $vigil_sure"
}
vigil_look_at_head() {
  vigil_identify
  [ "$vigil_size $vigil_written" != "$vigil_looked" ] && [ "$vigil_size" -gt 0 ] && [ -r /proc/self/fd/3 ] || return 0
  vigil_looked="$vigil_size $vigil_written" vigil_n=$vigil_size
  [ "$vigil_n" -le ${HEAD} ] || vigil_n=${HEAD}
  vigil_sum_of /proc/self/fd/3 "$vigil_n"
  printf 'head %s %s %s\\n' "$vigil_w" "$vigil_n" "$vigil_size" >&2
}
`;

/**
 * GNU tail says in the midst of the bytes, at the right place, that the file was cut; its words hold a spelling of the descriptor that no log
 * text can know. /proc/self/fd/3 is a link, so it doesn't use inotify and looks once a second unless told otherwise. Where tail is another one,
 * which says nothing, \`vigil_move\` copies once a second what the file has grown by and says the same words.
 */
const READ_ON = `
vigil_read_on() {
  vigil_begin=$vigil_offset
  [ "$vigil_begin" -ge ${HEAD} ] || vigil_begin=0
  case $(tail --version 2>/dev/null) in
    *'GNU coreutils'*)
      LC_ALL=C tail --pid=$$ -s 0.1 -c "+$((vigil_begin + 1))" -f "$vigil_spelling" 2>&1 &
      vigil_tail=$!
      vigil_stat "$vigil_tail"
      vigil_begun=$vigil_start
      while vigil_second; do
        vigil_same "$vigil_tail" "$vigil_begun" || vigil_fail 'tail has ended'
        vigil_look
      done ;;
  esac
  vigil_seek "$vigil_begin"
  vigil_reach
  [ "$vigil_pos" = "$vigil_begin" ] || vigil_fail 'dd can not seek'
  while vigil_move; do vigil_second; vigil_look; done
}
vigil_reach() {
  { read -r vigil_w vigil_pos </proc/self/fdinfo/3; } 2>/dev/null || vigil_fail 'there is neither a GNU tail nor /proc/PID/fdinfo'
}
vigil_move() {
  vigil_identify
  vigil_reach
  if [ "$vigil_size" -lt "$vigil_pos" ]; then printf 'tail: %s: file truncated\\n' "$vigil_spelling"; exit; fi
  vigil_n=$((vigil_size - vigil_pos))
  [ $vigil_n -lt 65536 ] || dd bs=65536 count=$((vigil_n / 65536)) <&3 2>/dev/null
  [ $((vigil_n % 65536)) = 0 ] || dd bs=$((vigil_n % 65536)) count=1 <&3 2>/dev/null
}
`;

export const FOLLOW = `
LC_ALL=C
${READ_STAT}${READ_GENERATION}${STAND_ALONE}${OPEN_LOG}${LOOK}${READ_ON}
vigil_path; vigil_folder=$vigil_w
vigil_word; vigil_role=$vigil_w
vigil_path; vigil_log=$vigil_w
vigil_path; vigil_real=$vigil_w
vigil_word; vigil_how=$vigil_w
vigil_word; vigil_next=$vigil_w
vigil_word; vigil_next_sum=$vigil_w
vigil_word; vigil_next_summed=$vigil_w
vigil_word; vigil_sure=$vigil_w
vigil_word; vigil_offset=$vigil_w
vigil_word; vigil_device=$vigil_w
vigil_word; vigil_inode=$vigil_w
vigil_word; vigil_sum=$vigil_w
vigil_word; vigil_summed=$vigil_w
vigil_word; vigil_spelling=$vigil_w
vigil_tick=0 vigil_again=0 vigil_quiet= vigil_looked=
vigil_register
until vigil_find; do
  while [ ! -f "$vigil_log" ]; do
    [ $((vigil_tick % 5)) != 0 ] || printf 'missing\\n'
    vigil_second
  done
done
vigil_judge
if [ $vigil_verdict = empty ]; then
  vigil_opened empty 0
  until [ -s /proc/self/fd/3 ]; do vigil_second; vigil_look; done
  vigil_identify
  vigil_verdict=new
  vigil_pass_hole
fi
vigil_opened $vigil_verdict "$vigil_offset"
vigil_read_on
`;
