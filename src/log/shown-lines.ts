/** The lines of a log as people see them: of a bar that is drawn again and again its last state, behind the prefix that was drawn alone. */

import type { ReaderCarry } from './carry.ts';
import type { Piece } from './lines.ts';

type Drawn = Pick<ReaderCarry, 'prefix' | 'shown'>;

const NOTHING: Drawn = { prefix: '', shown: '' };

export class ShownLines {
  /** Of the line that isn't over. */
  #drawn: Drawn;
  #lines: string[] = [];

  constructor({ prefix, shown }: Drawn) {
    this.#drawn = { prefix, shown };
  }

  save(): Drawn {
    return this.#drawn;
  }

  add({ text, end, isLineStart }: Piece): void {
    const { prefix, shown } = this.#drawn;
    if (isLineStart && end === '\r' && text.trimEnd().endsWith(')')) this.#drawn = { prefix: text, shown };
    else if (text.trim() !== '') this.#drawn = { prefix, shown: isLineStart ? text : prefix + text };
    if (end === '\r') return;
    this.#lines.push(this.#drawn.shown === '' ? this.#drawn.prefix : this.#drawn.shown);
    if (end === '\n') this.#drawn = NOTHING;
  }

  /** Those that ended since it was asked last. */
  take(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

/** Where the last `count` lines of `bytes` begin. */
export function startOfLast(count: number, bytes: Uint8Array): number {
  if (count === Number.POSITIVE_INFINITY) return 0;
  let start = bytes.length;
  for (let left = count; left >= 0; left -= 1) {
    if (start <= 0) return 0;
    start = bytes.lastIndexOf(0x0a, start - 1);
  }
  return start + 1;
}
