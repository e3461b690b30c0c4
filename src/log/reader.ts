/** Bytes of a log in, events and readable lines out. Never throws on any bytes; the result doesn't depend on how they were cut. */

import { EMPTY_CARRY, type ReaderCarry } from './carry.ts';
import type { LogEvent, LogKind } from './events.ts';
import { LineCutter, type Piece } from './lines.ts';
import { createMask, longestSecret } from './mask.ts';
import type { Placed } from './placing.ts';
import { ServerLines } from './server-lines.ts';
import { NOBODY, parseSpoken, type Spoken } from './speaker.ts';
import { Tracebacks } from './traceback.ts';
import type { TroubleEvent } from './traceback-text.ts';
import { TrainingLines } from './training/lines.ts';
import { asTarget, isTrainers } from './training/target-lines.ts';
import { Wrapping } from './wrapper.ts';

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
  /** Where reading can go on: `offset` = bytes from the log's start to the first unread piece, `carry` = all else. */
  checkpoint(): { offset: number; carry: ReaderCarry };
}

/** Opens a reader at the log's start, or where a checkpoint was made (feed the bytes from its offset on). */
export function openLogReader(options: {
  kind: LogKind;
  secrets: readonly string[];
  resume: { offset: number; carry: ReaderCarry } | null;
}): LogReader {
  return new Reader(options.kind, options.secrets, options.resume ?? { offset: 0, carry: EMPTY_CARRY });
}

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
  #state: Pick<ReaderCarry, 'speaker' | 'prefix' | 'shown'>;
  #events: LogEvent[] = [];
  #lines: string[] = [];

  constructor(kind: LogKind, secrets: readonly string[], from: { offset: number; carry: ReaderCarry }) {
    const { line, isLineStart, open, harmless, training, speaker, prefix, shown } = from.carry;
    this.#cutter = new LineCutter({
      mask: createMask(secrets),
      edge: longestSecret(secrets),
      from: { offset: from.offset, line, isLineStart },
    });
    this.#tracebacks = new Tracebacks(open, harmless);
    this.#training = kind === 'train' ? new TrainingLines(training) : null;
    this.#server = new ServerLines(from.carry);
    this.#wrapping = new Wrapping(from.carry.wrapper);
    this.#state = { speaker, prefix, shown };
  }

  feed(bytes: Uint8Array): LogRead {
    this.#cutter.feed(bytes, this.#read);
    return this.#taken();
  }

  end(): LogRead {
    const rest = this.#cutter.end();
    if (rest !== null) this.#read(rest);
    this.#place(this.#training?.end() ?? []);
    this.#tell(this.#tracebacks.flush());
    return this.#taken();
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
    if (piece.isLineStart) this.#beginLine();
    this.#show(piece);
    if (piece.text === '' && !piece.isLineStart) return;
    const isWrapped = this.#training !== null && piece.isLineStart;
    const { text, stamp } = isWrapped ? this.#wrapping.unwrap(piece.text) : { text: piece.text, stamp: null };
    for (const spoken of parseSpoken(text, this.#state.speaker)) {
      const said = stamp === null ? spoken : { ...spoken, stamp: spoken.stamp ?? stamp };
      this.#state.speaker = { process: said.process, pid: said.pid };
      if (said.shape === 'json') for (const one of unfold(said)) this.#hear(one, piece);
      else this.#hear(said, piece);
    }
  };

  #beginLine(): void {
    this.#state.speaker = NOBODY;
    this.#state.prefix = '';
    this.#state.shown = '';
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
    if (!isKnown && inner === undefined && at.said.message !== '' && !isServersShape(at.said))
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

/** Of lines without a prefix: those that a server's own logger could have written. */
function isServersShape({ shape }: Spoken): boolean {
  return shape === 'uvicorn' || shape === 'dated';
}

/** A JSON record holds its further lines and its traceback in itself. */
function unfold(said: Spoken): Spoken[] {
  const [message = '', ...more] = `${said.message}${said.exception === null ? '' : `\n${said.exception}`}`.split('\n');
  const head: Spoken = { ...said, message, exception: null };
  return [head, ...more.map((line): Spoken => ({ ...head, shape: 'plain', level: null, message: line }))];
}
