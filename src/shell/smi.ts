/** Finding nvidia-smi, and not asking it where it hangs. */

import { LIMIT } from './limit.ts';

/**
 * `vigil_find_smi` puts nvidia-smi's path into $vigil_smi, or fails: the PATH of an SSH command often lacks the folders of containers and WSL.
 * `vigil_ask_smi` asks it, for 20 s at most.
 */
export const FIND_SMI = `${LIMIT}
vigil_find_smi() {
  vigil_smi=$(command -v nvidia-smi 2>/dev/null) && return
  for vigil_smi in /usr/local/nvidia/bin /usr/lib/wsl/lib /usr/local/cuda/bin; do
    vigil_smi=$vigil_smi/nvidia-smi
    [ ! -f "$vigil_smi" ] || [ ! -x "$vigil_smi" ] || return 0
  done
  return 1
}
vigil_ask_smi() { vigil_within 20 "$vigil_smi" "$@" </dev/null 2>/dev/null; }
`;

/**
 * `vigil_hangs` (after READ_STAT and PAUSE) says whether an nvidia-smi, whosever, has been caught in the driver for 20 s: no signal ends it, and
 * another would stay beside it. It is told by its name and state only, since its cmdline may hang as well.
 */
export const FIND_HANGING = `
vigil_is_caught() {
  vigil_stat "$1" && [ "$vigil_state" = D ] && [ $((\${vigil_up%%.*} * vigil_hertz - vigil_start)) -gt $((20 * vigil_hertz)) ]
}
vigil_hangs() {
  vigil_hertz=$(getconf CLK_TCK 2>/dev/null) || vigil_hertz=100
  read -r vigil_up vigil_n </proc/uptime
  for vigil_file in $(grep -lx nvidia-smi /proc/[0-9]*/comm 2>/dev/null); do
    vigil_p=\${vigil_file#/proc/} vigil_p=\${vigil_p%/comm}
    vigil_is_caught "$vigil_p" || continue
    vigil_pause
    ! vigil_is_caught "$vigil_p" || return 0
  done
  return 1
}
`;
