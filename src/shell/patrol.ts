/** Which files match a patrol's patterns, and what they were when looked at. */

import type { KnownFile, PatrolFile, PatrolView } from '../host/log.ts';
import { READ_GENERATION } from './generation.ts';
import { READ_CLOCK, READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

/** Files told of one patrol at most. */
const MOST = 200;

/** Patterns hold `*`, `?`, `[...]` and otherwise mean themselves; ~/ and relative ones start in the home folder. */
export function renderPatrol(question: {
  readonly globs: readonly string[];
  readonly known: readonly KnownFile[];
}): Script {
  const known = question.known.map(({ device, inode, size }) => `${device}:${inode}:${size}`).join(',');
  const input = [known, question.globs.length, ...question.globs].map(line).join('');
  return { name: 'patrol', text: PATROL, input };
}

/**
 * null when the answer isn't whole. A file is told once, under its own path rather than under a link's. Names that aren't UTF-8 are left out:
 * nobody could ask about them again.
 */
export function parsePatrol(output: string): PatrolView | null {
  const records = output.split('\0');
  const end = /^now (\d+) (\S+) (\d+)$/.exec(records.at(-2) ?? '');
  if (!end) return null;
  const rows = records.map(readRow).filter((row) => row !== null);
  const own = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.file.device}:${row.file.inode}`;
    if (!own.has(key) || (row.isStraight && own.get(key)?.isStraight === false)) own.set(key, row);
  }
  return {
    now: Number(end[1]),
    facts: { bootId: end[2] ?? '', init: Number(end[3]) },
    files: [...own.values()].map(({ file }) => file),
  };
}

interface Row {
  readonly file: PatrolFile;
  /** No part of the path is a link. */
  readonly isStraight: boolean;
}

function readRow(record: string): Row | null {
  const match = /^file (\d+) (\S+) (\S+) (\d+) (\S+) (\d+) ([01]) (.*)$/s.exec(record);
  if (!match || match[8]?.includes('\uFFFD')) return null;
  const [, modified, device = '', inode = '', size, sum = '-', summed, isStraight, path = ''] = match;
  const head = sum === '-' ? null : { sum, summed: Number(summed) };
  const file = { path, device, inode, size: Number(size), modified: Number(modified) * 1000, head };
  return { file, isStraight: isStraight === '1' };
}

/**
 * A pattern is expanded by an unquoted word with an empty IFS: nothing in it is split or evaluated. The home folder's own name is no
 * pattern, so relative ones are expanded from within. Names go into numbered variables and out before a NUL; what is sorted are numbers.
 * Where stat is missing, ls and date tell the same, file by file.
 */
const PATROL = `
LC_ALL=C
${READ_STAT}${READ_CLOCK}${READ_GENERATION}
vigil_word; vigil_known=,$vigil_w,
vigil_word; vigil_globs=$vigil_w
vigil_count=0
cd "$HOME" 2>/dev/null
vigil_expand() {
  vigil_prefix=$HOME/
  case $vigil_w in
    /*) vigil_prefix= ;;
    '~/'*) vigil_w=\${vigil_w#'~/'} ;;
  esac
  IFS=
  for vigil_file in $vigil_w; do
    vigil_file=$vigil_prefix$vigil_file
    [ -f "$vigil_file" ] && [ -r "$vigil_file" ] || continue
    vigil_count=$((vigil_count + 1))
    eval "vigil_file_$vigil_count=\\$vigil_file"
  done
  unset IFS
}
vigil_measure_one() {
  stat -L -c '%Y %d %i %s' "$1" 2>/dev/null && return
  vigil_ls=$(ls -Llni "$1" 2>/dev/null) || { printf '0 - - 0\\n'; return; }
  vigil_from_ls $vigil_ls
  printf '%s %s %s\\n' "$(date -r "$1" +%s)" "$vigil_identity" "$vigil_size"
}
vigil_measure() {
  vigil_rows=$(stat -L -c '%Y %d %i %s' "$@" 2>/dev/null) ||
    vigil_rows=$(for vigil_file in "$@"; do vigil_measure_one "$vigil_file"; done)
  IFS='
'
  for vigil_row in $vigil_rows; do
    vigil_k=$((vigil_k + 1))
    printf '%s %s\\n' "$vigil_row" $vigil_k
  done
  unset IFS
}
vigil_measure_all() {
  set -f
  vigil_i=0 vigil_k=0
  while [ $vigil_i -lt $vigil_count ]; do
    set --
    while [ $# -lt 500 ] && [ $vigil_i -lt $vigil_count ]; do
      vigil_i=$((vigil_i + 1))
      eval "set -- \\"\\$@\\" \\"\\$vigil_file_$vigil_i\\""
    done
    vigil_measure "$@"
  done
}
vigil_tell() {
  eval "vigil_file=\\$vigil_file_$5"
  vigil_w=- vigil_summed=0 vigil_straight=0
  case $vigil_known in
    *",$2:$3:$4,"*) ;;
    *)
      vigil_summed=$4
      [ "$vigil_summed" -le 64 ] || vigil_summed=64
      vigil_sum_of "$vigil_file" "$vigil_summed" ;;
  esac
  if [ ! -L "$vigil_file" ] && cd -P "\${vigil_file%/*}/" 2>/dev/null && [ "$PWD/\${vigil_file##*/}" = "$vigil_file" ]; then vigil_straight=1; fi
  printf 'file %s %s %s %s %s %s %s %s\\0' "$1" "$2" "$3" "$4" "$vigil_w" "$vigil_summed" $vigil_straight "$vigil_file"
}
while [ $vigil_globs -gt 0 ]; do
  vigil_word; vigil_expand
  vigil_globs=$((vigil_globs - 1))
done
vigil_newest=$(vigil_measure_all | grep -v '^0 - ' | sort -k 1,1rn -k 5,5n | head -n ${MOST})
IFS='
'
for vigil_row in $vigil_newest; do
  unset IFS
  vigil_tell $vigil_row
done
unset IFS
vigil_boot
vigil_clock
printf 'now %s %s %s\\0' "$vigil_now" "$vigil_boot_id" "$vigil_init"
`;
