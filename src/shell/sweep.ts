/** The last of a run's processes: those that live for a moment only and have started the next one by then, so that no look finds them. */

import type { SampleTarget } from '../host/sample.ts';
import type { Swept } from '../host/stop.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export function renderSweep({ run, started }: SampleTarget): Script {
  return { name: 'sweep', text: SWEEP, input: line(run) + line(started.session) };
}

/** null when the answer isn't whole. */
export function parseSweep(output: string): Swept | null {
  const match = /^swept( [\d ]*)? (quiet|busy)$/m.exec(output);
  if (!match) return null;
  return { pids: (match[1] ?? '').split(' ').filter(Boolean).map(Number), isQuiet: match[2] === 'quiet' };
}

/** Passes in a row that find nobody, and all of them. */
const QUIET = 30;
const MOST = 400;

/**
 * Only processes that began after the first pass are looked at, and by builtins: within microseconds one is read and halted. What a shell reads of
 * an environ has lost its NULs, so whose it is is read once more, exactly, while it stands still.
 */
const SWEEP = `
LC_ALL=C
trap '' HUP INT TERM PIPE
${READ_STAT}
vigil_word; vigil_run=$vigil_w
vigil_word; vigil_sid=$vigil_w
vigil_is_marked() {
  while IFS= read -r vigil_line || [ -n "$vigil_line" ]; do
    case $vigil_line in *"VIGIL_RUN=$vigil_run"*) return 0 ;; esac
  done
  return 1
}
vigil_end() {
  { vigil_is_marked <"/proc/$1/environ"; } 2>/dev/null || return 0
  kill -STOP "$1" 2>/dev/null || return 0
  if tr '\\000' '\\n' 2>/dev/null <"/proc/$1/environ" | grep -qxF "VIGIL_RUN=$vigil_run"; then
    kill -KILL "$1" 2>/dev/null
    vigil_ended="$vigil_ended $1" vigil_quiet=0
  else
    kill -CONT "$1" 2>/dev/null
  fi
}
vigil_old=" $vigil_sid $$ " vigil_ended= vigil_quiet=0 vigil_pass=0
for vigil_file in /proc/[0-9]*; do vigil_old="$vigil_old\${vigil_file#/proc/} "; done
while [ $vigil_quiet -lt ${QUIET} ] && [ $vigil_pass -lt ${MOST} ]; do
  vigil_pass=$((vigil_pass + 1)) vigil_quiet=$((vigil_quiet + 1))
  for vigil_file in /proc/[0-9]*; do
    case $vigil_old in *" \${vigil_file#/proc/} "*) ;; *) vigil_end "\${vigil_file#/proc/}" ;; esac
  done
done
[ $vigil_quiet -lt ${QUIET} ] && vigil_quiet=busy || vigil_quiet=quiet
printf 'swept%s %s\\n' "$vigil_ended" "$vigil_quiet"
`;
