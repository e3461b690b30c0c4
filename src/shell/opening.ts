/** Which file a follower reads: the one that it knows, wherever it has been moved to, else what is behind the log's name. */

/** A first look at a longer log begins that many bytes before its end. */
const FIRST_LOOK = 64 * 1024 * 1024;
/** Bytes that tell a file from one that took its place. Who goes on before that byte is given the file from its first byte on. */
export const HEAD = 256;
const BLOCK = 65_536;

/**
 * `vigil_find` makes descriptor 3 the file to follow and fails while there is none. A file that was renamed is looked for beside the log by its
 * inode and known by its first bytes, since an inode may be given out anew; its device may have another number since the host was restarted.
 * `vigil_judge` says what it is to what was known ($vigil_verdict) and where reading goes on ($vigil_offset, with $vigil_skipped bytes passed
 * over). Of a file that was cut to nothing, a writer without O_APPEND goes on at its old place: what lies before is a hole, which is not read.
 */
export const OPEN_LOG = `
vigil_take() {
  [ -e "$1" ] || return 1
  [ -f "$1" ] || vigil_fail "$1 is not a regular file"
  if { command exec 3<"$1"; } 2>/dev/null; then vigil_identify; return; fi
  [ ! -e "$1" ] || vigil_fail "$1 may not be read by this user"
  return 1
}
vigil_is_real() {
  [ -n "$vigil_real" ] || return 0
  vigil_there=$(readlink -n /proc/self/fd/3; printf _)
  [ "$vigil_there" = "\${vigil_real}_" ] && [ -f /proc/self/fd/3 ]
}
vigil_by_inode() {
  [ -z "$vigil_real" ] || return 1
  vigil_w=$(find "\${vigil_log%/*}/" -maxdepth 1 -type f -inum "$1" 2>/dev/null)
  vigil_w=\${vigil_w%%
*}
  [ -r "$vigil_w" ] && vigil_take "$vigil_w" && [ "\${vigil_identity#* }" = "$1" ]
}
vigil_by_name() {
  vigil_take "$vigil_log" || return
  for vigil_w in 1 2 3; do
    ! vigil_is_real || return 0
    vigil_second
    vigil_take "$vigil_log" || return
  done
  printf 'elsewhere %s\\n' "$(printf '%s' "\${vigil_there%_}" | tr '\\n' ' ')"
  exit
}
vigil_find() {
  case $vigil_how$vigil_sum in
    resume- | cut*) vigil_by_name; return ;;
    next*) vigil_wanted=$vigil_next ;;
    *) vigil_wanted=$vigil_inode ;;
  esac
  if vigil_by_name && [ "\${vigil_identity#* }" = "$vigil_wanted" ]; then return; fi
  if vigil_by_inode "$vigil_wanted" && vigil_is_wanted; then return; fi
  vigil_by_name
}
vigil_is_wanted() {
  if [ "$vigil_how" = next ]; then vigil_is_next; else [ "$vigil_summed" -gt 0 ] && vigil_is_known; fi
}
vigil_is_next() {
  [ "\${vigil_identity#* }" = "$vigil_next" ] && [ "$vigil_size" -ge "$vigil_next_summed" ] || return
  vigil_sum_of /proc/self/fd/3 "$vigil_next_summed"
  [ "$vigil_w" = "$vigil_next_sum" ]
}
vigil_is_known() {
  [ "\${vigil_identity#* }" = "$vigil_inode" ] && [ "$vigil_size" -ge "$vigil_offset" ] || return
  if [ "$vigil_summed" = 0 ]; then [ "$vigil_identity" = "$vigil_device $vigil_inode" ]; return; fi
  vigil_sum_of /proc/self/fd/3 "$vigil_summed"
  [ "$vigil_w" = "$vigil_sum" ]
}
vigil_judge() {
  vigil_skipped=0 vigil_verdict=same
  if [ "$vigil_sum" = - ]; then
    [ "$vigil_size" -ge "$vigil_offset" ] || vigil_offset=0
    [ $((vigil_size - vigil_offset)) -le ${FIRST_LOOK} ] || vigil_skip
  elif [ "$vigil_how" != cut ] && vigil_is_known; then
    :
  elif [ "\${vigil_identity#* }" = "$vigil_inode" ]; then
    vigil_verdict=cut
    if [ "$vigil_size" = 0 ]; then vigil_verdict=empty; else vigil_pass_hole; fi
  else
    vigil_verdict=replaced vigil_offset=0
    [ "$vigil_how$vigil_sure" != next1 ] || ! vigil_is_next || vigil_verdict=new
  fi
}
vigil_skip() {
  vigil_w=$((vigil_size / ${BLOCK} + 1 - ${FIRST_LOOK / BLOCK}))
  vigil_n=$(dd bs=${BLOCK} skip=$vigil_w count=16 </proc/self/fd/3 2>/dev/null | head -n 1 | wc -c)
  vigil_w=$((vigil_w * ${BLOCK} + vigil_n))
  vigil_skipped=$((vigil_w - vigil_offset)) vigil_offset=$vigil_w
}
vigil_pass_hole() {
  vigil_n=$vigil_offset
  [ "$vigil_n" -le ${HEAD} ] || vigil_n=${HEAD}
  if [ "$vigil_size" -ge "$vigil_offset" ]; then
    vigil_sum_of /dev/zero "$vigil_n"
    vigil_zeros=$vigil_w
    vigil_sum_of /proc/self/fd/3 "$vigil_n"
    [ "$vigil_w" != "$vigil_zeros" ] || return 0
  fi
  vigil_offset=0
}
vigil_opened() {
  vigil_w=$vigil_sum vigil_n=$vigil_summed
  # What it was known by is not taken anew: it may have been cut since it was compared.
  if [ "$1" != same ] || [ "$vigil_n" = 0 ]; then
    vigil_n=$vigil_size
    [ "$vigil_n" -le ${HEAD} ] || vigil_n=${HEAD}
    vigil_sum_of /proc/self/fd/3 "$vigil_n"
  fi
  printf 'opened %s %s %s %s %s %s %s\\n' "$vigil_identity" "$vigil_w" "$vigil_n" "$vigil_size" "$2" "$vigil_skipped" "$1"
}
`;
