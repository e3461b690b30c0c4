/** Who has a file open for writing. */

/**
 * `vigil_opens FD FILE` says whether a link of /proc/PID/fd is that file, open for writing, and puts the process into $vigil_holder. Builtins
 * alone: some 12,000 descriptors of 600 processes take a tenth of a second, as long as find or stat would. What this user may not see is none.
 */
export const READ_DESCRIPTOR = `
vigil_opens() {
  [ "$1" -ef "$2" ] || return 1
  vigil_holder=\${1#/proc/}
  vigil_holder=\${vigil_holder%%/*}
  while read -r vigil_key vigil_flags; do
    case $vigil_key$vigil_flags in flags:*[1256]) return 0 ;; esac
  done 2>/dev/null <"/proc/$vigil_holder/fdinfo/\${1##*/}"
  return 1
}
`;
