/** Who hears what a log says: the trainer's reader, the server's, the collector of tracebacks; what they find becomes events. */

import { EMPTY_CARRY, type ReaderCarry } from './carry.ts';
import type { LogEvent, LogKind } from './events.ts';
import type { Piece } from './lines.ts';
import type { Placed } from './placing.ts';
import { ServerLines } from './server-lines.ts';
import type { Spoken } from './speaker.ts';
import { Tracebacks } from './traceback.ts';
import type { TroubleEvent } from './traceback-text.ts';
import { TrainingLines } from './training/lines.ts';
import { asTarget, isTrainers } from './training/target-lines.ts';

type Heard = Omit<ReaderCarry, 'version' | 'line' | 'isLineStart' | 'speaker' | 'prefix' | 'shown' | 'key' | 'wrapper'>;

interface Line {
  readonly line: number;
  readonly end: Piece['end'];
  readonly said: Spoken;
}

export class Listener {
  readonly #tracebacks: Tracebacks;
  readonly #server: ServerLines;
  /** null for a server's log. */
  readonly #training: TrainingLines | null;
  #events: LogEvent[] = [];

  constructor(kind: LogKind, heard: Heard) {
    this.#tracebacks = new Tracebacks(heard);
    this.#server = new ServerLines(heard);
    this.#training = kind === 'train' ? new TrainingLines(heard.training) : null;
  }

  save(): Heard {
    const training = this.#training?.save() ?? EMPTY_CARRY.training;
    return { ...this.#server.save(), ...this.#tracebacks.save(), training };
  }

  /** Of a server's log: nothing is open or awaited, so that only a line with a sign can change anything. */
  get isIdle(): boolean {
    return this.#tracebacks.isIdle;
  }

  hear(said: Spoken, { line, end }: Pick<Piece, 'line' | 'end'>): void {
    // A request: thousands a minute, with any words in its path.
    if (said.shape === 'uvicorn' && said.message.includes(' - "')) return;
    const at = { line, end, said };
    if (this.#training !== null && isTrainers(said, this.#training.story.state)) this.#hearTrainer(this.#training, at);
    else this.#hearServer(at);
  }

  /** The file is over: what waited for more is told. */
  end(): void {
    this.#place(this.#training?.end() ?? []);
    this.#tell(this.#tracebacks.flush());
  }

  /** The events since it was asked last. */
  take(): LogEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
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

/** Of lines without a prefix: those that a server's own logger could have written. */
function isServersShape({ shape }: Spoken): boolean {
  return shape === 'uvicorn' || shape === 'dated';
}
