/** Bytes of a log in, events and readable lines out. Never throws on any bytes; the result doesn't depend on how they were cut. */

import { EMPTY_CARRY, READER_VERSION, type ReaderCarry } from './carry.ts';
import type { LogEvent, LogKind } from './events.ts';
import { type Gate, serverGate } from './gate/gate.ts';
import { LineCutter, type Mask, type Piece } from './lines.ts';
import { Listener } from './listener.ts';
import { createMask, longestSecret, openMask } from './mask.ts';
import type { KeyMask } from './private-keys.ts';
import { ShownLines, startOfLast } from './shown-lines.ts';
import { NOBODY, parseSpoken, type Speaker, unfold } from './speaker.ts';
import { type Unwrapped, Wrapping } from './wrapper.ts';

export { isReadable, READER_VERSION, type ReaderCarry } from './carry.ts';

export interface LogRead {
  readonly events: LogEvent[];
  /** Whole lines as people may read them: masked, without ANSI codes, of a bar only its last state. */
  readonly lines: string[];
}

export interface LogReader {
  /** Feeds bytes; returns the events of whole pieces (up to a `\n` or `\r`) and the lines that ended. */
  feed(bytes: Uint8Array): LogRead;
  /** The end of the file: a last piece without an end is read as well, and tracebacks that waited for more of their message are told. */
  end(): LogRead;
  /** The line that the next byte stands on, 1-based. */
  readonly line: number;
  /** Where reading can go on: `offset` = bytes from the log's start to the first unread piece, `carry` = all else. */
  checkpoint(): { offset: number; carry: ReaderCarry };
}

export interface ReaderOptions {
  readonly kind: LogKind;
  readonly secrets: readonly string[];
  readonly resume: { readonly offset: number; readonly carry: ReaderCarry } | null;
  /** So many of the last lines in one feed are wanted as people read them, at least; without it all are. */
  readonly tail?: number;
}

/** Opens a reader at the log's start, or where a checkpoint was made (feed the bytes from its offset on). */
export function openLogReader(options: ReaderOptions): LogReader {
  return new Reader(options);
}

/**
 * Lines of a server's log that all are read: by then it has shown what stands before its lines. Behind them a line is passed over where
 * it holds no word of the gate's and nothing is open or awaited, since reading it would leave the events and the carry as they are.
 */
const LEARNING_LINES = 500;

class Reader implements LogReader {
  readonly #mask: KeyMask;
  /** For what stands in a JSON record, once its escapes are read. */
  readonly #maskAgain: Mask;
  readonly #cutter: LineCutter;
  readonly #wrapping: Wrapping;
  readonly #listener: Listener;
  readonly #shown: ShownLines;
  /** null for a training's log. */
  readonly #gate: Gate | null;
  readonly #tail: number;
  /** Of the line that isn't over. */
  #speaker: Speaker;

  constructor({ kind, secrets, resume, tail = Number.POSITIVE_INFINITY }: ReaderOptions) {
    const from = resume ?? { offset: 0, carry: EMPTY_CARRY };
    const { line, isLineStart, speaker, key, wrapper } = from.carry;
    const mask = openMask(secrets, key);
    this.#mask = mask;
    this.#maskAgain = createMask(secrets);
    this.#cutter = new LineCutter({
      mask: (text) => mask.hide(text),
      edge: longestSecret(secrets),
      from: { offset: from.offset, line, isLineStart },
    });
    this.#wrapping = new Wrapping(kind, wrapper);
    this.#listener = new Listener(kind, from.carry);
    this.#shown = new ShownLines(from.carry);
    this.#speaker = speaker;
    this.#gate = kind === 'serve' ? serverGate() : null;
    this.#tail = tail;
  }

  feed(bytes: Uint8Array): LogRead {
    const last = startOfLast(this.#tail, bytes);
    const gate = this.#gate;
    this.#cutter.feed(bytes, this.#read, (all, start) =>
      gate !== null && start < last && this.#isIdle() ? gate.idleUntil(all, start, last) : start,
    );
    return this.#taken();
  }

  /** A line without a sign could change nothing. */
  #isIdle(): boolean {
    return this.#listener.isIdle && !this.#mask.isInside && this.#cutter.position().line > LEARNING_LINES;
  }

  end(): LogRead {
    const rest = this.#cutter.end();
    if (rest !== null) this.#read(rest);
    this.#listener.end();
    return this.#taken();
  }

  get line(): number {
    return this.#cutter.position().line;
  }

  checkpoint(): { offset: number; carry: ReaderCarry } {
    const { offset, line, isLineStart } = this.#cutter.position();
    const saved = {
      ...this.#shown.save(),
      ...this.#listener.save(),
      key: this.#mask.save(),
      wrapper: this.#wrapping.save(),
    };
    return { offset, carry: { version: READER_VERSION, line, isLineStart, speaker: this.#speaker, ...saved } };
  }

  #taken(): LogRead {
    return { events: this.#listener.take(), lines: this.#shown.take() };
  }

  readonly #read = (piece: Piece): void => {
    this.#shown.add(piece);
    if (piece.text !== '' || piece.isLineStart) this.#take(piece);
    if (piece.end === '\n') this.#speaker = NOBODY;
  };

  #take(piece: Piece): void {
    const { text, stamp } = piece.isLineStart ? this.#unwrap(piece) : { text: piece.text, stamp: null };
    for (const spoken of parseSpoken(text, this.#speaker)) {
      const said = stamp === null ? spoken : { ...spoken, stamp: spoken.stamp ?? stamp };
      this.#speaker = { process: said.process, pid: said.pid };
      if (said.shape === 'json')
        for (const one of unfold(said)) this.#listener.hear({ ...one, message: this.#maskAgain(one.message) }, piece);
      else this.#listener.hear(said, piece);
    }
  }

  /** What stands before every line of a server's log shows itself early, or is not looked for. */
  #unwrap({ text, line }: Piece): Unwrapped {
    const isLooking = this.#gate === null || this.#wrapping.isKnown || line <= LEARNING_LINES;
    return isLooking ? this.#wrapping.unwrap(text) : { text, stamp: null };
  }
}
