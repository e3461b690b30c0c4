/** Bytes of a log in, events and readable lines out. Never throws on any bytes; the result doesn't depend on how they were cut. */

import { EMPTY_CARRY, type ReaderCarry } from './carry.ts';
import type { LogEvent, LogKind } from './events.ts';
import { type Gate, serverGate } from './gate/gate.ts';
import { LineCutter, type Piece } from './lines.ts';
import { createMask, longestSecret } from './mask.ts';
import type { Placed } from './placing.ts';
import { ServerLines } from './server-lines.ts';
import { NOBODY, parseSpoken, type Spoken } from './speaker.ts';
import { Tracebacks } from './traceback.ts';
import type { TroubleEvent } from './traceback-text.ts';
import { TrainingLines } from './training/lines.ts';
import { asTarget, isTrainers } from './training/target-lines.ts';
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

/** Lines of a server's log that all are read. */
const LEARNING_LINES = 500;

interface Line {
  readonly line: number;
  readonly end: Piece['end'];
  readonly said: Spoken;
}

class Reader implements LogReader {
  readonly #cutter: LineCutter;
  readonly #tracebacks: Tracebacks;
  /** null for a server's log. */
  readonly #training: TrainingLines | null;
  readonly #server: ServerLines;
  readonly #wrapping: Wrapping;
  readonly #gate: Gate | null;
  readonly #tail: number;
  #state: Pick<ReaderCarry, 'speaker' | 'prefix' | 'shown'>;
  #events: LogEvent[] = [];
  #lines: string[] = [];

  constructor({ kind, secrets, resume, tail = Number.POSITIVE_INFINITY }: ReaderOptions) {
    const from = resume ?? { offset: 0, carry: EMPTY_CARRY };
    const { line, isLineStart, training, speaker, prefix, shown } = from.carry;
    this.#cutter = new LineCutter({
      mask: createMask(secrets),
      edge: longestSecret(secrets),
      from: { offset: from.offset, line, isLineStart },
    });
    this.#tracebacks = new Tracebacks(from.carry);
    this.#training = kind === 'train' ? new TrainingLines(training) : null;
    this.#server = new ServerLines(from.carry);
    this.#wrapping = new Wrapping(kind, from.carry.wrapper);
    this.#state = { speaker, prefix, shown };
    this.#gate = kind === 'serve' ? serverGate() : null;
    this.#tail = tail;
  }

  feed(bytes: Uint8Array): LogRead {
    const shown = startOfLast(this.#tail, bytes);
    const gate = this.#gate;
    this.#cutter.feed(bytes, this.#read, (all, start) =>
      gate !== null && start < shown && this.#isIdle() ? gate.idleUntil(all, start, shown) : start,
    );
    return this.#taken();
  }

  /** No line that says nothing by itself could change anything. */
  #isIdle(): boolean {
    return this.#tracebacks.isIdle && this.#cutter.position().line > LEARNING_LINES;
  }

  end(): LogRead {
    const rest = this.#cutter.end();
    if (rest !== null) this.#read(rest);
    this.#place(this.#training?.end() ?? []);
    this.#tell(this.#tracebacks.flush());
    return this.#taken();
  }

  get line(): number {
    return this.#cutter.position().line;
  }

  checkpoint(): { offset: number; carry: ReaderCarry } {
    const { offset, line, isLineStart } = this.#cutter.position();
    const { version } = EMPTY_CARRY;
    const training = this.#training?.save() ?? EMPTY_CARRY.training;
    const saved = {
      ...this.#state,
      ...this.#server.save(),
      ...this.#tracebacks.save(),
      training,
      wrapper: this.#wrapping.save(),
    };
    return { offset, carry: { version, line, isLineStart, ...saved } };
  }

  #taken(): LogRead {
    const taken = { events: this.#events, lines: this.#lines };
    this.#events = [];
    this.#lines = [];
    return taken;
  }

  readonly #read = (piece: Piece): void => {
    this.#show(piece);
    if (piece.text !== '' || piece.isLineStart) this.#take(piece);
    if (piece.end === '\n') this.#state = { speaker: NOBODY, prefix: '', shown: '' };
  };

  #take(piece: Piece): void {
    const { text, stamp } = piece.isLineStart ? this.#unwrap(piece) : { text: piece.text, stamp: null };
    for (const spoken of parseSpoken(text, this.#state.speaker)) {
      const said = stamp === null ? spoken : { ...spoken, stamp: spoken.stamp ?? stamp };
      this.#state.speaker = { process: said.process, pid: said.pid };
      if (said.shape === 'json') for (const one of unfold(said)) this.#hear(one, piece);
      else this.#hear(said, piece);
    }
  }

  /** What stands before every line of a server's log shows itself early, or is not looked for. */
  #unwrap({ text, line }: Piece): Unwrapped {
    const isLooking = this.#gate === null || this.#wrapping.isKnown || line <= LEARNING_LINES;
    return isLooking ? this.#wrapping.unwrap(text) : { text, stamp: null };
  }

  #show(piece: Piece): void {
    const state = this.#state;
    if (piece.isLineStart && piece.end === '\r' && piece.text.trimEnd().endsWith(')')) state.prefix = piece.text;
    else if (piece.text.trim() !== '') state.shown = piece.isLineStart ? piece.text : state.prefix + piece.text;
    if (piece.end !== '\r') this.#lines.push(state.shown === '' ? state.prefix : state.shown);
  }

  #hear(said: Spoken, { line, end }: Piece): void {
    if (said.shape === 'uvicorn' && said.message.includes(' - "')) return;
    const at = { line, end, said };
    if (this.#training !== null && isTrainers(said, this.#training.story.state)) this.#hearTrainer(this.#training, at);
    else this.#hearServer(at);
  }

  /** A line of a training's log that is not its target server's. */
  #hearTrainer(training: TrainingLines, at: Line): void {
    if (this.#tracebacks.isRaising) training.story.hearFailure();
    const { placed, isKnown, inner } = training.hear(at.said, at);
    if (placed.length === 0 && !isKnown && isServersShape(at.said)) {
      this.#hearServer(at);
      return;
    }
    this.#takeTraceback({ ...at, ...inner }, isKnown);
    this.#place(placed);
    // An error of torch's may name facts as well.
    if (
      (!isKnown || at.said.shape === 'torch') &&
      inner === undefined &&
      at.said.message !== '' &&
      !isServersShape(at.said)
    )
      this.#place(this.#server.hearFailure(at));
  }

  #hearServer(at: Line): void {
    const placed = this.#server.hear(at);
    this.#takeTraceback(at, false);
    this.#place(this.#training === null ? placed : asTarget(placed, at, this.#training.story));
  }

  #takeTraceback(at: Line, isForeign: boolean): void {
    this.#tell(this.#tracebacks.take(at.said, at, isForeign));
  }

  #tell(events: readonly TroubleEvent[]): void {
    for (const event of events) if (this.#training?.story.isExpected(event.trouble) !== true) this.#events.push(event);
  }

  #place(placed: readonly Placed[]): void {
    for (const { line, stamp, finding } of placed) {
      if (finding.kind === 'file') continue;
      if (finding.kind === 'start') this.#tell(this.#tracebacks.flush());
      this.#events.push({ ...finding, line, stamp });
    }
  }
}

/** Where the last `count` lines of `bytes` begin. */
function startOfLast(count: number, bytes: Uint8Array): number {
  if (count === Number.POSITIVE_INFINITY) return 0;
  let start = bytes.length;
  for (let left = count; left >= 0; left -= 1) {
    if (start <= 0) return 0;
    start = bytes.lastIndexOf(0x0a, start - 1);
  }
  return start + 1;
}

/** Of lines without a prefix: those that a server's own logger could have written. */
function isServersShape({ shape }: Spoken): boolean {
  return shape === 'uvicorn' || shape === 'dated';
}

/** A JSON record holds its further lines and its traceback in itself: they are lines of the same level. */
function unfold(said: Spoken): Spoken[] {
  const lines = `${said.message}${said.exception === null ? '' : `\n${said.exception}`}`.split('\n');
  return lines.map((message): Spoken => ({ ...said, message, exception: null }));
}
