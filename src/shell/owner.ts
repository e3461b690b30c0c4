/** What a person wants to know of a process that is in the way: whose it is, since when, what it runs. */

import { LIMIT } from './limit.ts';
import { READ_CLOCK } from './process.ts';

/**
 * After `vigil_stat PID`: `vigil_about PID` fills vigil_since (host time, ms) and vigil_user, `vigil_mark_of PID` vigil_mark (its run), and
 * `vigil_describe PID` all of them and vigil_command (400 bytes at most, in one line). What can't be read is `-`, an unreadable command is
 * empty. A user without a name, or with a blank in it, is told by number. A process that is caught in the kernel can hold up for ever
 * whoever reads its environ or command line: a second is enough.
 */
export const DESCRIBE = `
${READ_CLOCK}${LIMIT}
vigil_booted=
vigil_about() {
  if [ -z "$vigil_booted" ]; then
    vigil_hertz=$(getconf CLK_TCK 2>/dev/null) || vigil_hertz=100
    read -r vigil_up vigil_n </proc/uptime
    vigil_clock
    vigil_booted=$((vigil_now - \${vigil_up%.*}\${vigil_up#*.}0))
  fi
  vigil_since=-
  [ -z "$vigil_state" ] || vigil_since=$((vigil_booted + vigil_start * 1000 / vigil_hertz))
  vigil_user=$(stat -c '%u %U' "/proc/$1" 2>/dev/null) || vigil_user='- -'
  case \${vigil_user#* } in UNKNOWN | *' '*) vigil_user=\${vigil_user%% *} ;; *) vigil_user=\${vigil_user#* } ;; esac
}
vigil_mark_of() {
  vigil_mark=$(vigil_within 1 tr '\\000' '\\n' 2>/dev/null <"/proc/$1/environ" | grep '^VIGIL_RUN=[A-Za-z0-9._-]*$' | head -n 1)
  vigil_mark=\${vigil_mark#VIGIL_RUN=}
  vigil_mark=\${vigil_mark:--}
}
vigil_describe() {
  vigil_about "$1"
  vigil_mark_of "$1"
  vigil_command=$(vigil_within 1 tr '\\000\\n' '  ' 2>/dev/null <"/proc/$1/cmdline" | head -c 400)
}
`;
