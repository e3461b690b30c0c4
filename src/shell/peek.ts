/** A look into a file from a byte on, without following it. */

import type { Peek } from '../host/log.ts';
import { READ_GENERATION } from './generation.ts';
import { line, type Script } from './script.ts';

interface Range {
  readonly from: number;
  readonly most: number;
  readonly countsLines: boolean;
  /** The opened file must be at exactly this path, where one is given: no link may lead elsewhere. */
  readonly real?: string | null;
}

export function renderPeek(path: string, { from, most, countsLines, real }: Range): Script {
  const input = line(path) + line(from) + line(most) + line(countsLines ? 1 : 0) + line(real ?? '');
  return { name: 'peek', text: PEEK, input };
}

/** 'gone' where the path holds no regular file, or leads elsewhere; null when the answer isn't whole. */
export function parsePeek(output: string): Peek | 'gone' | null {
  const end = output.indexOf('\n');
  const head = output.slice(0, Math.max(0, end));
  if (head === 'gone') return 'gone';
  const match = /^peek (\S+) (\S+) (\S+) (\d+) (\d+) (\d+|-)$/.exec(head);
  if (!match) return null;
  const [, device = '', inode = '', sum = '', summed, size, lineNumber] = match;
  return {
    generation: { device, inode, sum, summed: Number(summed) },
    size: Number(size),
    line: lineNumber === '-' ? null : Number(lineNumber),
    text: output.slice(end + 1),
  };
}

/** The size is taken once: what is written meanwhile belongs to the next look. */
const PEEK = `
LC_ALL=C
${READ_GENERATION}
vigil_path; vigil_file=$vigil_w
vigil_word; vigil_from=$vigil_w
vigil_word; vigil_most=$vigil_w
vigil_word; vigil_counts=$vigil_w
vigil_path; vigil_real=$vigil_w
[ -f "$vigil_file" ] || { printf 'gone\\n'; exit 0; }
exec 3<"$vigil_file"
vigil_there=$(readlink -n /proc/self/fd/3; printf _)
[ -z "$vigil_real" ] || [ "$vigil_there" = "\${vigil_real}_" ] || { printf 'gone\\n'; exit 0; }
vigil_identify
vigil_summed=$vigil_size
[ "$vigil_summed" -le 256 ] || vigil_summed=256
vigil_sum_of /proc/self/fd/3 "$vigil_summed"
[ "$vigil_from" -le "$vigil_size" ] || vigil_from=$vigil_size
vigil_line=-
[ "$vigil_counts" = 0 ] || vigil_line=$(($(head -c "$vigil_from" </proc/self/fd/3 | wc -l) + 1))
[ $((vigil_size - vigil_most)) -le "$vigil_from" ] || vigil_from=$((vigil_size - vigil_most))
printf 'peek %s %s %s %s %s\\n' "$vigil_identity" "$vigil_w" "$vigil_summed" "$vigil_size" "$vigil_line"
vigil_seek "$vigil_from"
head -c $((vigil_size - vigil_from)) <&3
`;
