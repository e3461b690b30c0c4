/** Where a path that a person typed leads, and whether that is a log that may be watched: judged on the opened file, never on its name. */

import type { LogLook, LogRefusal } from '../host/log.ts';
import { READ_GENERATION } from './generation.ts';
import { READ_CLOCK, READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

/** Globs hold `*`, `?`, `[...]` and otherwise mean themselves; ~/ is the SSH user's home. */
export function renderLook({ path, globs }: { readonly path: string; readonly globs: readonly string[] }): Script {
  return { name: 'look', text: LOOK, input: [path, globs.length, ...globs].map(line).join('') };
}

/** null when the answer isn't whole. */
export function parseLook(output: string): LogLook | null {
  const [head = '', real = '', end] = output.split('\0');
  if (end === undefined) return null;
  const refused = /^refused (\w+)$/.exec(head);
  if (refused) {
    const why = REFUSALS.find((known) => known === refused[1]);
    return why === undefined ? null : { kind: 'refused', why, real: real === '' ? null : real };
  }
  const log = /^log (\d+) (\S+) (\d+) (\d+) (\S+) (\S+) (\d+) (\S+) (\d+)$/.exec(head);
  if (!log) return null;
  const [, now, bootId = '', init, modified, device = '', inode = '', size, sum = '', summed] = log;
  return {
    kind: 'log',
    path: real,
    generation: { device, inode, sum, summed: Number(summed) },
    size: Number(size),
    modified: Number(modified) * 1000,
    now: Number(now),
    facts: { bootId, init: Number(init) },
  };
}

const REFUSALS: readonly LogRefusal[] = ['missing', 'unreadable', 'folder', 'pipe', 'device', 'kernel', 'outside'];

/**
 * What isn't a regular file is never opened: a pipe would wait, a device may act. All else is asked of descriptor 3, whatever the name means
 * by then: its real path, its type, its file system (9fa0 is procfs, 62656572 sysfs), its size. A glob's folders before its first special
 * character are named by whoever keeps the configuration and may be links; what a special character stands for, and all behind it, may not.
 */
const LOOK = `
LC_ALL=C
${READ_STAT}${READ_CLOCK}${READ_GENERATION}
vigil_path; vigil_typed=$vigil_w
vigil_word; vigil_globs=$vigil_w
vigil_real=
vigil_refuse() { printf 'refused %s\\0%s\\0' "$1" "$vigil_real"; exit 0; }
[ ! -d "$vigil_typed" ] || vigil_refuse folder
if [ -p "$vigil_typed" ] || [ -S "$vigil_typed" ]; then vigil_refuse pipe; fi
if [ -b "$vigil_typed" ] || [ -c "$vigil_typed" ]; then vigil_refuse device; fi
[ -f "$vigil_typed" ] || vigil_refuse missing
[ -r "$vigil_typed" ] || vigil_refuse unreadable
command exec 3<"$vigil_typed" || vigil_refuse unreadable
vigil_real=$(readlink /proc/self/fd/3; printf _)
vigil_real=\${vigil_real%'
_'}
[ -f /proc/self/fd/3 ] || vigil_refuse device
case $vigil_real in /proc/* | /sys/*) vigil_refuse kernel ;; esac
case $(stat -f -L -c %t /proc/self/fd/3 2>/dev/null) in 9fa0 | 62656572) vigil_refuse kernel ;; esac
vigil_try() {
  case $vigil_w in
    /*) vigil_base=/ vigil_w=\${vigil_w#/} ;;
    '~/'*) vigil_base=$HOME/ vigil_w=\${vigil_w#'~/'} ;;
    *) vigil_base=$HOME/ ;;
  esac
  vigil_head=\${vigil_w%%[[*?\\\\]*}
  case $vigil_head in */*) vigil_head=\${vigil_head%/*}/ ;; *) vigil_head= ;; esac
  vigil_w=\${vigil_w#"$vigil_head"}
  cd -P "$vigil_base$vigil_head" 2>/dev/null || return 0
  IFS=
  for vigil_file in $vigil_w; do
    if [ "\${PWD%/}/$vigil_file" = "$vigil_real" ]; then vigil_match=1; fi
  done
  unset IFS
}
vigil_match=0
while [ "$vigil_globs" -gt 0 ]; do
  vigil_word; vigil_try
  vigil_globs=$((vigil_globs - 1))
done
[ "$vigil_match" = 1 ] || vigil_refuse outside
vigil_identify
vigil_summed=$vigil_size
[ "$vigil_summed" -le 256 ] || vigil_summed=256
vigil_sum_of /proc/self/fd/3 "$vigil_summed"
vigil_sum=$vigil_w
vigil_modified=$(stat -L -c %Y /proc/self/fd/3 2>/dev/null) || vigil_modified=$(date -r /proc/self/fd/3 +%s)
vigil_boot
vigil_clock
printf 'log %s %s %s %s %s %s %s %s\\0%s\\0' "$vigil_now" "$vigil_boot_id" "$vigil_init" "$vigil_modified" "$vigil_identity" "$vigil_size" "$vigil_sum" "$vigil_summed" "$vigil_real"
`;
