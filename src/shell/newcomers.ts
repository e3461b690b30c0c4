/** Processes that came since the last look: pids are given in a circle, so that they lie between those of two children of this shell. */

/**
 * `vigil_find_newcomers` puts the rows of those that may belong to one of the vigil_count runs (as vigil_main_K, vigil_sid_K and vigil_seen_K know
 * them) into $vigil_related, and the environs that hold the mark of any into $vigil_environs. All others are looked at once, for all runs
 * together, and never again: a host starts many processes that are none of a run's. It needs SCAN.
 */
export const FIND_NEWCOMERS = `
vigil_latest=0
vigil_mark_time() {
  : &
  vigil_from=$vigil_latest vigil_latest=$!
  wait
}
vigil_is_new() {
  if [ "$vigil_from" -lt "$vigil_latest" ]; then [ "$1" -gt "$vigil_from" ] && [ "$1" -le "$vigil_latest" ]
  else [ "$1" -gt "$vigil_from" ] || [ "$1" -le "$vigil_latest" ]; fi
}
vigil_find_newcomers() {
  vigil_related= vigil_environs= vigil_stats=
  vigil_mark_time
  for vigil_file in /proc/[0-9]*; do
    ! vigil_is_new "\${vigil_file#/proc/}" || vigil_environs="$vigil_environs $vigil_file/environ" vigil_stats="$vigil_stats $vigil_file/stat"
  done
  [ -n "$vigil_environs" ] || return 0
  vigil_environs=$(vigil_marks 3 F VIGIL_RUN= "$vigil_environs")
  vigil_list $vigil_stats
  vigil_find_kin
  vigil_more=1
  while [ "$vigil_more" = 1 ]; do vigil_more=; vigil_each vigil_relate; done
}
vigil_find_kin() {
  vigil_kin=' ' vigil_i=0
  while [ $vigil_i -lt $vigil_count ]; do
    eval "vigil_seen=\\$vigil_seen_$vigil_i vigil_kin=\\"\\$vigil_kin\\$vigil_main_$vigil_i \\$vigil_sid_$vigil_i \\""
    for vigil_item in $vigil_seen; do vigil_kin="$vigil_kin\${vigil_item%:*} "; done
    vigil_i=$((vigil_i + 1))
  done
}
vigil_relate() {
  case $vigil_kin in *" $1 "*) return ;; esac
  case $vigil_kin in *" $2 "* | *" $3 "*) ;; *)
    case $vigil_environs in */"$1"/*) ;; *) return ;; esac ;;
  esac
  vigil_kin="$vigil_kin$1 " vigil_more=1
  vigil_related="$vigil_related$*
"
}
`;
