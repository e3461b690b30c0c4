/**
 * Cuts bytes into pieces at `\n` and `\r`, as text without ANSI codes and with secrets masked.
 * A piece keeps at most LINE_CHARS characters; what is behind them is dropped. Nothing depends on how the bytes were cut into chunks.
 */

const LINE_CHARS = 8 * 1024;

/** Bytes of a piece that are held at most. More than LINE_CHARS, so that a secret over that edge is seen whole before the cut. */
const HELD_BYTES = 16 * 1024;

export interface Piece {
  /** 1-based, over `\n`. */
  readonly line: number;
  readonly text: string;
  /** What ended it; null at the end of the file. */
  readonly end: '\n' | '\r' | null;
  readonly isLineStart: boolean;
}

export interface CutPosition {
  /** Bytes since the log's start: the start of the first unread piece. */
  readonly offset: number;
  readonly line: number;
  readonly isLineStart: boolean;
}

/** Where in `bytes`, from the line that starts at `start` on, the first line begins that must be read; `start` itself where that one must. */
export type IdleUntil = (bytes: Buffer, start: number) => number;

/** Hides secrets; asked once for each piece, in their order. */
export type Mask = (text: string) => string;

const LF = 0x0a;
const CR = 0x0d;

export class LineCutter {
  readonly #mask: Mask;
  /** Characters before a cut that could be half a secret. */
  readonly #edge: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #held = new Uint8Array(HELD_BYTES);
  #heldLength = 0;
  /** Bytes of the unread piece, those that were dropped included. */
  #pending = 0;
  #isCut = false;
  #offset: number;
  #line: number;
  #isLineStart: boolean;

  constructor(options: { mask: Mask; edge: number; from: CutPosition }) {
    this.#mask = options.mask;
    this.#edge = Math.max(1024, options.edge);
    this.#offset = options.from.offset;
    this.#line = options.from.line;
    this.#isLineStart = options.from.isLineStart;
  }

  /** `idleUntil` is asked at a line's start how far whole lines needn't be read: no piece of those is taken. */
  feed(bytes: Uint8Array, take: (piece: Piece) => void, idleUntil: IdleUntil): void {
    // A Buffer finds a byte in half the time.
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let start = 0;
    while (start < buffer.length) {
      const isAtLine = this.#pending === 0 && this.#isLineStart;
      const read = isAtLine ? idleUntil(buffer, start) : start;
      this.#skip(buffer, start, read);
      const lf = buffer.indexOf(LF, read);
      start = lf === -1 ? buffer.length : lf + 1;
      this.#takeLine(buffer.subarray(read, start), take);
    }
  }

  /** The unread rest of the file as a piece, or null where there is none. */
  end(): Piece | null {
    if (this.#pending === 0) return null;
    const piece = this.#piece(this.#text(this.#held.subarray(0, this.#heldLength)), null);
    this.#next(this.#pending, null);
    return piece;
  }

  position(): CutPosition {
    return { offset: this.#offset, line: this.#line, isLineStart: this.#isLineStart };
  }

  #skip(bytes: Buffer, start: number, stop: number): void {
    this.#offset += stop - start;
    for (let next = start; next < stop; next = bytes.indexOf(LF, next) + 1) this.#line += 1;
  }

  /** The pieces of one line, or of the beginning of one. */
  #takeLine(bytes: Uint8Array, take: (piece: Piece) => void): void {
    const last = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length;
    let start = 0;
    for (let cr = bytes.indexOf(CR); cr !== -1; cr = bytes.indexOf(CR, start)) {
      take(this.#finish(bytes, start, cr));
      start = cr + 1;
    }
    if (last < bytes.length) take(this.#finish(bytes, start, last));
    else this.#hold(bytes, start, last);
  }

  #finish(bytes: Uint8Array, start: number, stop: number): Piece {
    const end = bytes[stop] === LF ? '\n' : '\r';
    if (this.#pending > 0) {
      this.#hold(bytes, start, stop);
      const held = this.#piece(this.#text(this.#held.subarray(0, this.#heldLength)), end);
      this.#next(this.#pending + 1, end);
      return held;
    }
    const from = skipNulls(bytes, start, stop);
    this.#isCut = stop - from > HELD_BYTES;
    const piece = this.#piece(this.#text(bytes.subarray(from, Math.min(stop, from + HELD_BYTES))), end);
    this.#next(stop - start + 1, end);
    return piece;
  }

  #hold(bytes: Uint8Array, start: number, stop: number): void {
    this.#pending += stop - start;
    const from = this.#heldLength === 0 ? skipNulls(bytes, start, stop) : start;
    const room = Math.min(stop - from, HELD_BYTES - this.#heldLength);
    if (room < stop - from) this.#isCut = true;
    this.#held.set(bytes.subarray(from, from + room), this.#heldLength);
    this.#heldLength += room;
  }

  #text(bytes: Uint8Array): string {
    if (bytes.length === 0) return '';
    const text = this.#mask(dropControls(this.#decoder.decode(bytes)));
    if (this.#isCut) return text.slice(0, Math.max(0, Math.min(LINE_CHARS, text.length - this.#edge)));
    return text.length > LINE_CHARS ? text.slice(0, LINE_CHARS) : text;
  }

  #piece(text: string, end: Piece['end']): Piece {
    return { line: this.#line, text, end, isLineStart: this.#isLineStart };
  }

  #next(length: number, end: Piece['end']): void {
    this.#offset += length;
    this.#pending = 0;
    this.#heldLength = 0;
    this.#isCut = false;
    this.#isLineStart = end === '\n';
    if (end === '\n') this.#line += 1;
  }
}

/** A log that was truncated under a writer without O_APPEND begins with NULs, perhaps millions: they must not use up the line. */
function skipNulls(bytes: Uint8Array, start: number, stop: number): number {
  let from = start;
  while (from < stop && bytes[from] === 0) from += 1;
  return from;
}

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** CSI (colours, cursor moves), OSC (titles, links) and the two-character escapes. */
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[ -/]*[0-~])`,
  'g',
);
const CONTROL = /[^\P{Cc}\t]/u;
const CONTROLS = /[^\P{Cc}\t]/gu;

/** The text without terminal codes. */
export function withoutAnsi(text: string): string {
  return text.includes(ESCAPE) ? text.replace(ANSI, '') : text;
}

function dropControls(text: string): string {
  const plain = withoutAnsi(text);
  return CONTROL.test(plain) ? plain.replace(CONTROLS, '') : plain;
}
