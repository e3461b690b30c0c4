/** The last bytes that were read, to look up a line in them by its number. */

import { withoutAnsi } from '../log/lines.ts';
import { NOBODY, parseSpoken } from '../log/speaker.ts';

/** Of the bytes before the newest chunk so many are kept. */
const KEPT_BYTES = 16 * 1024;
/** Of a long line (bars redraw themselves on it, records stand between) so much of its end is looked at. */
const LINE_BYTES = 4 * 1024;
/** A line without a time has that of a line above it: so many are looked at. */
const LINES_ABOVE = 30;
const LF = 0x0a;
/** Of Python's rich: `[07:41:56]`, `[11/30/26 07:41:56]`. */
const RICH = /^\[(?:(\d\d)\/(\d\d)\/\d\d )?(\d\d:\d\d:\d\d)\]/;
const CLOCK = /^\[?(\d\d:\d\d:\d\d)(?:[.,]\d{1,6})?\]?[ :|]/;

const TIME = /\d\d:\d\d:\d\d/;
const DECODER = new TextDecoder();

export interface Stamp {
  /** `11-30 07:41:56`, or `07:41:56` where the day isn't printed. */
  readonly text: string;
  readonly line: number;
}

export class Window {
  /** Used again and again, so that memory stays flat. */
  #buffer = new Uint8Array(KEPT_BYTES);
  #bytes: Uint8Array = this.#buffer.subarray(0, 0);
  /** Where the newest chunk begins, and on which line its first byte stands. */
  #start = 0;
  #line = 1;
  /** The place that was found last: lines are asked for in the order of the file, most often. */
  #found = { at: 0, line: 1 };

  /** `line` is the one that the chunk's first byte stands on. */
  push(chunk: Uint8Array, line: number): void {
    const kept = Math.min(KEPT_BYTES, this.#bytes.length);
    const from = this.#bytes.length - kept;
    const length = kept + chunk.length;
    if (length > this.#buffer.length) this.#buffer = grown(this.#bytes, length);
    this.#buffer.copyWithin(0, from, from + kept);
    this.#buffer.set(chunk, kept);
    this.#bytes = this.#buffer.subarray(0, length);
    this.#start = kept;
    this.#line = line;
    this.#found = { at: kept, line };
  }

  /** The time on that line or on one shortly above it; null where none is, or the line is no longer (or not yet) here. */
  stampNear(line: number): Stamp | null {
    let start = this.#startOf(line);
    for (let above = 0; above <= LINES_ABOVE && start !== null; above += 1) {
      const text = this.#stampOn(start);
      if (text !== null) return { text, line: line - above };
      start = this.#lineBefore(start);
    }
    return null;
  }

  #startOf(line: number): number | null {
    if (line <= this.#line) return this.#startAbove(line);
    let { at, line: current } = line > this.#found.line ? this.#found : { at: this.#start, line: this.#line };
    for (; current < line; current += 1) {
      const end = this.#bytes.indexOf(LF, at);
      if (end === -1) return null;
      at = end + 1;
    }
    this.#found = { at, line };
    return at;
  }

  /** The chunk's first line may have begun in an older one. */
  #startAbove(line: number): number | null {
    const end = this.#start === 0 ? -1 : this.#bytes.lastIndexOf(LF, this.#start - 1);
    let start: number | null = end === -1 && this.#start > 0 ? null : end + 1;
    for (let current = this.#line; current > line && start !== null; current -= 1) start = this.#lineBefore(start);
    return start;
  }

  /** Where the line above begins; null where that isn't known. */
  #lineBefore(start: number): number | null {
    if (start < 2) return null;
    const end = this.#bytes.lastIndexOf(LF, start - 2);
    return end === -1 ? null : end + 1;
  }

  /** The newest on the line that begins there. */
  #stampOn(start: number): string | null {
    const end = this.#bytes.indexOf(LF, start);
    const stop = end === -1 ? this.#bytes.length : end;
    const text = DECODER.decode(this.#bytes.subarray(Math.max(start, stop - LINE_BYTES), stop));
    if (!TIME.test(text)) return null;
    const pieces = withoutAnsi(text).split('\r').reverse();
    for (const piece of pieces) {
      const stamp = stampOf(piece);
      if (stamp !== null) return stamp;
    }
    return null;
  }
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(length, bytes.length));
  larger.set(bytes);
  return larger;
}

/** The time that a line begins with: a logger's, a container's, rich's. */
function stampOf(text: string): string | null {
  const rich = RICH.exec(text);
  if (rich !== null) return rich[1] === undefined ? (rich[3] ?? null) : `${rich[1]}-${rich[2]} ${rich[3]}`;
  return parseSpoken(text, NOBODY)[0]?.stamp ?? CLOCK.exec(text)?.[1] ?? null;
}
