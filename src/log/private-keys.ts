/**
 * Hides private keys, of which each line looks like nothing by itself: in one line with escapes, and over many lines with whatever stands
 * before each of them, also where others' lines stand in between.
 *
 * Outside (null) → a first line "BEGIN … PRIVATE KEY" → inside, where what looks like base64 is hidden → its END, or MOST_LINES later:
 * a key without an end hides no log for ever.
 */

import { z } from 'zod';
import { KEY_BEGIN, KEY_END } from '../token-shapes.ts';
import type { Mask } from './lines.ts';

const MASKED = '[masked]';
/** Of RSA with 16,384 bits there are 200. */
const MOST_LINES = 200;
const MOST_PREFIX = 200;

/** What must be remembered between two lines; plain data, without anything of the key. */
export const keyBlock = z.object({
  /** What stands before the key on its lines, masked; its digits are 0, since pids and times differ. */
  before: z.string(),
  /** So many lines more are looked at. */
  left: z.number(),
  /** A whole line of the key was seen. */
  isShown: z.boolean(),
});
export type KeyBlock = z.infer<typeof keyBlock>;

const SIGN = 'PRIVATE KEY';
/** A whole line of a key, wherever it stands in the text. */
const RUN = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}={0,2}/g;
/** The last line of one, by itself or in quotes. */
const SHORT = /^(["'\s]{0,40})[A-Za-z0-9+/]{1,}={0,2}(?=$|["'\\\s])(?!\s+\S)/;
/** A line of a key whose beginning nobody saw: 64 characters, of OpenSSH 70, of MIME 76. */
const WIDTHS = new Set([64, 70, 76]);
const MIXED = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^g-zG-Z+/]*[g-zG-Z+/])[A-Za-z0-9+/]+$/;

/** Hides keys and, by `mask`, all else in lines that come in order. */
export class KeyMask {
  readonly #mask: Mask;
  #block: KeyBlock | null;

  constructor(mask: Mask, block: KeyBlock | null) {
    this.#mask = mask;
    this.#block = block;
  }

  get isInside(): boolean {
    return this.#block !== null;
  }

  save(): KeyBlock | null {
    return this.#block;
  }

  hide(line: string): string {
    if (this.#block === null && !line.includes(SIGN)) return withoutStray(this.#mask(line));
    const begin = KEY_BEGIN.exec(line);
    const end = KEY_END.exec(line);
    if (begin === null && end === null)
      return this.#block === null ? this.#mask(line) : this.#inside(line, this.#block);
    if (begin === null || (end !== null && end.index < begin.index)) return this.#over(line, end?.[0] ?? '');
    return this.#open(line, begin);
  }

  #open(line: string, { index }: RegExpExecArray): string {
    const before = this.#mask(line.slice(0, index));
    const rest = line.slice(index);
    const end = KEY_END.exec(rest);
    if (end !== null) {
      this.#block = null;
      return `${before}${MASKED}${this.hide(rest.slice(end.index + end[0].length))}`;
    }
    this.#block = { before: shapeOf(before.slice(0, MOST_PREFIX)), left: MOST_LINES, isShown: false };
    return `${before}${MASKED}`;
  }

  /** What stands before an END in its line may be the last of the key. An END whose key nobody saw stays, for whoever sees more of it. */
  #over(line: string, end: string): string {
    const at = line.indexOf(end);
    const block = this.#block;
    const before = line.slice(0, at);
    const first = block === null ? `${this.#mask(before)}${end}` : `${this.#inside(before, block)}${MASKED}`;
    this.#block = null;
    return first + this.hide(line.slice(at + end.length));
  }

  /** Others' lines stay, but for a word alone, perhaps behind the same prefix: the key's last line looks so. */
  #inside(line: string, block: KeyBlock): string {
    const masked = this.#mask(line);
    const whole = masked.replace(RUN, MASKED);
    const isFirst = block.left === MOST_LINES;
    const isShown = block.isShown || whole !== masked;
    this.#block = block.left === 1 ? null : { ...block, left: block.left - 1, isShown };
    if (whole !== masked || !(isFirst || isShown)) return whole;
    const length = shapeOf(masked).startsWith(block.before) ? block.before.length : 0;
    return masked.slice(0, length) + masked.slice(length).replace(SHORT, `$1${MASKED}`);
  }
}

/** A text of several lines: also a key of which only the end is in it. */
export function hideKeys(text: string, mask: Mask): string {
  const keys = new KeyMask(mask, null);
  if (!text.includes('\n')) return keys.hide(text);
  const lines = text.split('\n').map((line) => keys.hide(line));
  if (!text.includes(SIGN)) return lines.join('\n');
  for (const [end, line] of lines.entries()) if (KEY_END.test(line)) hideBefore(lines, end);
  return lines.join('\n');
}

/** The lines of a key before its END, as far up as they look so. */
function hideBefore(lines: string[], end: number): void {
  for (let at = end - 1; at >= Math.max(0, end - MOST_LINES); at -= 1) {
    const line = lines[at] ?? '';
    const hidden = at === end - 1 ? line.replace(RUN, MASKED).replace(SHORT, `$1${MASKED}`) : line.replace(RUN, MASKED);
    if (hidden === line && !line.includes(MASKED)) return;
    lines[at] = hidden;
  }
}

function withoutStray(line: string): string {
  const text = line.trimEnd();
  const word = text.slice(text.lastIndexOf(' ') + 1);
  return WIDTHS.has(word.length) && MIXED.test(word) ? `${text.slice(0, text.length - word.length)}${MASKED}` : line;
}

function shapeOf(text: string): string {
  return text.replace(/\d/g, '0');
}
