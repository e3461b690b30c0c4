/** Shell functions that look at processes through /proc, with builtins where they can. */

/**
 * `vigil_stat PID` reads /proc/PID/stat into vigil_state, vigil_parent, vigil_group, vigil_session and vigil_start; fails for what is gone or
 * dead (a zombie stays for ever where PID 1 doesn't reap). A zombie with more than one thread is not dead: one of them is caught in the kernel,
 * and holds memory, port and GPU until it is let go. Fields are counted after the last ')': a name may hold blanks and brackets.
 */
export const READ_STAT = `
vigil_stat() {
  vigil_state=
  { IFS= read -r vigil_raw <"/proc/$1/stat"; } 2>/dev/null || return 1
  vigil_split \${vigil_raw##*) }
  vigil_pid=\${vigil_raw%% *}
  case $vigil_state in X | x) return 1 ;; Z) [ "$vigil_threads" -gt 1 ] || return 1 ;; esac
}
vigil_split() {
  vigil_state=$1 vigil_parent=$2 vigil_group=$3 vigil_session=$4 vigil_threads=\${18} vigil_start=\${20}
}
vigil_same() { vigil_stat "$1" && [ "$vigil_start" = "$2" ]; }
`;

/** `vigil_clock` puts the host's time in ms into $vigil_now; `vigil_boot` reads boot id and PID 1's start time. */
export const READ_CLOCK = `
vigil_clock() {
  vigil_now=$(date +%s%3N)
  case $vigil_now in *[!0-9]*) vigil_now=$(date +%s)000 ;; esac
}
vigil_boot() {
  vigil_boot_id=- vigil_init=0
  { IFS= read -r vigil_boot_id </proc/sys/kernel/random/boot_id; } 2>/dev/null
  vigil_stat 1 && vigil_init=$vigil_start
}
`;

/** A pause of about a tenth of a second, or of one where sleep takes whole seconds only. */
export const PAUSE = `
vigil_pause() { sleep 0.1 2>/dev/null || sleep 1; }
`;
