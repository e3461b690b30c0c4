/** Several scripts in one exec, side by side: each with a time limit of its own, and its output apart from the others'. */

import { gunzipSync } from 'node:zlib';
import { LIMIT } from './limit.ts';
import { READ_CLOCK } from './process.ts';
import { EVALUATE_STDIN, findOutput, line, prefixed, renderStdin, type Script } from './script.ts';

export interface Part {
  readonly script: Script;
  /** Whole seconds; then it is ended by KILL, with all that it started. */
  readonly limit: number;
}

export type PartAnswer =
  | { readonly kind: 'whole'; readonly output: Buffer }
  /** It ended with this exit code, and what it printed counts for nothing; with 0, what it printed can't be read. */
  | { readonly kind: 'failed'; readonly code: number }
  /** It had no end within its limit, or not yet. */
  | { readonly kind: 'late' };

export function renderBundle(parts: readonly Part[]): Script {
  const each = parts.map(({ script, limit }) => line(limit) + prefixed(renderStdin(script, NONCE)));
  return { name: 'bundle', text: BUNDLE, input: line(parts.length) + each.join('') };
}

/** Each part is begun by this very text, so that nothing can stand before its output by chance. */
const NONCE = 'part';
/** Of one part's output, unpacked. */
const MOST_OUTPUT = 16 * 1024 * 1024;
/** What a shell tells of a command that a signal ended; 124 is timeout's own. */
const LATE_FROM = 124;

/** Takes the bundle's output as it comes, cut anywhere. */
export class BundleReader {
  readonly #parts: { code: number | null; hasEnded: boolean; readonly rows: string[] }[];
  #form = '';
  #now: number | null = null;
  #rest = '';

  constructor(count: number) {
    this.#parts = Array.from({ length: count }, () => ({ code: null, hasEnded: false, rows: [] }));
  }

  push(bytes: Buffer): void {
    const rows = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = rows.pop() ?? '';
    for (const row of rows) this.#take(row);
  }

  /** Nothing more can come that would change an answer, though the host may not have ended. */
  get isWhole(): boolean {
    return this.#parts.every(({ code, hasEnded }) => hasEnded || (code ?? 0) >= LATE_FROM);
  }

  /** Host time of the beginning, ms; null while it hasn't come. */
  get now(): number | null {
    return this.#now;
  }

  answer(index: number): PartAnswer {
    const part = this.#parts[index];
    if (part?.code === undefined || part.code === null || part.code >= LATE_FROM) return { kind: 'late' };
    if (part.code !== 0) return { kind: 'failed', code: part.code };
    if (!part.hasEnded) return { kind: 'late' };
    const output = decode(part.rows, this.#form);
    const at = output === null ? -1 : findOutput(output, NONCE);
    return output === null || at < 0 ? { kind: 'failed', code: 0 } : { kind: 'whole', output: output.subarray(at) };
  }

  #take(row: string): void {
    const [kind = '', first = '', ...more] = row.split(' ');
    if (kind === 'bundle') {
      this.#form = first;
      this.#now = Number(more[0]);
      return;
    }
    const part = this.#parts[Number(first)];
    if (part === undefined) return;
    if (kind === 'data') part.rows.push(more.join(''));
    if (kind === 'code') part.code = Number(more[0]);
    if (kind === 'end') part.hasEnded = true;
  }
}

/** null for what the host's gzip made no gzip of, or too much. */
function decode(rows: readonly string[], form: string): Buffer | null {
  const packed = Buffer.from(rows.join(''), form.endsWith('base64') ? 'base64' : 'hex');
  if (!form.startsWith('gzip')) return packed;
  try {
    return gunzipSync(packed, { maxOutputLength: MOST_OUTPUT });
  } catch {
    return null;
  }
}

/**
 * Prints `bundle FORM NOW`, and of each part `code N EXIT` as soon as it has ended, then `data N TEXT` lines and `end N`. A line goes out in one
 * write of less than 1008 bytes (bash's buffer), and all through one pipe, so that no line is cut by another. A part's output is kept back until
 * the part has ended. A process caught in the kernel may hold a part's output for ever: then its code has come, and its end never will.
 * base64 and gzip are done without where they are missing.
 */
const BUNDLE = `
LC_ALL=C
${LIMIT}${READ_CLOCK}
vigil_form=base64
if [ "$(printf a | base64 -w 900 2>/dev/null)" = YQ== ]; then vigil_encode() { base64 -w 900; }
elif [ "$(printf a | base64 2>/dev/null)" = YQ== ]; then vigil_encode() { base64; }
else vigil_form=hex; vigil_encode() { od -An -v -tx1; }
fi
vigil_pack() { cat; }
if printf a | gzip -1 -c >/dev/null 2>&1; then vigil_form=gzip-$vigil_form; vigil_pack() { gzip -1 -c; }; fi
vigil_part() {
  set -f; IFS='
'
  for vigil_row in $(
    printf '%s' "$vigil_blob" | {
      vigil_within "$vigil_seconds" sh -c '${EVALUATE_STDIN}' 2>/dev/null 4>&-
      printf 'code %s %s\\n' "$vigil_i" $? >&4
    } | vigil_pack | vigil_encode
  ); do
    printf 'data %s %s\\n' "$vigil_i" "$vigil_row"
  done
  printf 'end %s\\n' "$vigil_i"
}
vigil_all() {
  vigil_clock
  printf 'bundle %s %s\\n' "$vigil_form" "$vigil_now"
  vigil_word; vigil_count=$vigil_w vigil_i=0
  while [ "$vigil_i" -lt "$vigil_count" ]; do
    vigil_word; vigil_seconds=$vigil_w
    vigil_word
    vigil_blob=$(dd bs=$vigil_w count=1 iflag=fullblock 2>/dev/null || dd bs=1 count=$vigil_w 2>/dev/null; printf .)
    vigil_blob=\${vigil_blob%.}
    vigil_part 4>&1 &
    vigil_i=$((vigil_i + 1))
  done
  wait
}
vigil_all | cat
`;
