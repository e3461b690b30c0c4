/** What a person wants to know of a process that is in the way: whose it is, since when, what it runs. */

import { READ_CLOCK } from './process.ts';

/**
 * `vigil_describe PID` after `vigil_stat PID` fills vigil_since (host time, ms), vigil_user, vigil_mark (its run) and vigil_command (400
 * bytes at most, in one line). What can't be read is `-`, an unreadable command is empty.
 */
export const DESCRIBE = `
${READ_CLOCK}
vigil_booted=
vigil_describe() {
  if [ -z "$vigil_booted" ]; then
    vigil_hertz=$(getconf CLK_TCK 2>/dev/null) || vigil_hertz=100
    read -r vigil_up vigil_n </proc/uptime
    vigil_clock
    vigil_booted=$((vigil_now - \${vigil_up%.*}\${vigil_up#*.}0))
  fi
  vigil_since=-
  [ -z "$vigil_state" ] || vigil_since=$((vigil_booted + vigil_start * 1000 / vigil_hertz))
  vigil_user=$(stat -c %U "/proc/$1" 2>/dev/null) || vigil_user=-
  vigil_mark=$(tr '\\000' '\\n' 2>/dev/null <"/proc/$1/environ" | grep '^VIGIL_RUN=[A-Za-z0-9._-]*$' | head -n 1)
  vigil_mark=\${vigil_mark#VIGIL_RUN=}
  vigil_mark=\${vigil_mark:--}
  vigil_command=$(tr '\\000\\n' '  ' 2>/dev/null <"/proc/$1/cmdline" | head -c 400)
}
`;
