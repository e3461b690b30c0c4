/** A log read as one kind: its events folded to a reading, with the times and the last lines beside it. */

import type { LogEvent, LogKind } from '../log/events.ts';
import { type LogRead, type LogReader, openLogReader } from '../log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../log/reading.ts';
import { Moments } from './moments.ts';
import type { Signs } from './signs.ts';
import { addMarks, type Mark } from './timeline.ts';
import type { Window } from './window.ts';

const TAIL_LINES = 20;

/** What a log says, read as one kind. */
export interface Said {
  readonly kind: LogKind;
  readonly reading: Reading;
  readonly marks: readonly Mark[];
  readonly lines: number;
  /** The newest lines as people may read them: masked, without ANSI codes. */
  readonly tail: readonly string[];
  /** How many starts the file holds, and the line of the last one, where it is not the first. */
  readonly starts: number;
  readonly startLine: number | null;
  /** The newest line that shows work going on: a phase, a bar, a step. 0 where none does. */
  readonly lifeLine: number;
  /** The newest time in the file, perhaps of a line above its last. */
  readonly end: Pick<Mark, 'stamp' | 'moment' | 'isNear'>;
}

export class OneReading {
  readonly kind: LogKind;
  readonly #reader: LogReader;
  readonly #moments = new Moments();
  #reading: Reading;
  #marks: readonly Mark[] = [];
  #tail: readonly string[] = [];
  #starts = 1;
  #startLine: number | null = null;
  #lifeLine = 0;
  #newest: Pick<Mark, 'stamp' | 'moment'> & { readonly line: number } = { stamp: null, moment: null, line: 0 };
  #lookAt = 0;
  #stride = STRIDE;

  constructor(kind: LogKind) {
    this.kind = kind;
    // A training's reader reads every line anyway: they are looked at for signs.
    this.#reader = openLogReader({
      kind,
      secrets: [],
      resume: null,
      ...(kind === 'serve' ? { tail: TAIL_LINES } : {}),
    });
    this.#reading = emptyReading(kind);
  }

  /** The line that the next byte stands on. */
  get line(): number {
    return this.#reader.line;
  }

  feed(chunk: Uint8Array, window: Window, signs: Signs): void {
    this.#take(this.#reader.feed(chunk), window, signs);
  }

  end(window: Window, signs: Signs): void {
    this.#take(this.#reader.end(), window, signs);
  }

  result(window: Window): Said {
    const { line, isLineStart } = this.#reader.checkpoint().carry;
    const lines = isLineStart ? line - 1 : line;
    this.#look(lines, window);
    return {
      kind: this.kind,
      reading: this.#reading,
      marks: this.#marks,
      lines,
      tail: this.#tail,
      starts: this.#starts,
      startLine: this.#startLine,
      lifeLine: this.#lifeLine,
      end: this.#nearest(lines),
    };
  }

  #take({ events, lines }: LogRead, window: Window, signs: Signs): void {
    signs.addEvents(this.kind, events);
    if (this.kind === 'train' && !signs.isCertain) signs.addLines(lines);
    if (lines.length > 0) this.#tail = [...this.#tail, ...lines.slice(-TAIL_LINES)].slice(-TAIL_LINES);
    for (const event of events) this.#add(event, window);
  }

  #add(event: LogEvent, window: Window): void {
    const before = this.#reading;
    const after = addEvent(before, event);
    const isNew = after.phases !== before.phases || after.targetPhases !== before.targetPhases;
    if (event.stamp !== null) this.#hear(event.stamp, event.line);
    else if (isNew || event.line >= this.#lookAt) this.#look(event.line, window);
    if (isNew || event.kind === 'start')
      this.#marks = addMarks(this.#marks, { before, after, event, when: () => this.#nearest(event.line) });
    this.#reading = after;
    if (event.kind === 'start') this.#restart(event, before);
    if (SHOWS_LIFE.has(event.kind)) this.#lifeLine = event.line;
  }

  #restart({ line }: LogEvent, before: Reading): void {
    if (before.phases.length > 0 || before.troubles.length > 0) this.#starts += 1;
    this.#startLine = line;
    this.#lifeLine = 0;
  }

  #nearest(line: number): Pick<Mark, 'stamp' | 'moment' | 'isNear'> {
    const { stamp, moment, line: heardAt } = this.#newest;
    return { stamp, moment, isNear: stamp !== null && heardAt !== line };
  }

  #look(line: number, window: Window): void {
    const found = window.stampNear(line);
    this.#stride = found === null ? Math.min(2 * this.#stride, LONGEST_STRIDE) : STRIDE;
    this.#lookAt = line + this.#stride;
    if (found !== null) this.#hear(found.text, found.line);
  }

  #hear(stamp: string, line: number): void {
    const moment = this.#moments.of(stamp);
    if (moment !== null) this.#newest = { stamp, moment, line };
  }
}

/** Lines without a time of their own are looked up every so often, so that midnights between are seen. */
const STRIDE = 20;
/** In a log without times. */
const LONGEST_STRIDE = 2000;
const SHOWS_LIFE: ReadonlySet<LogEvent['kind']> = new Set(['phase', 'progress', 'record', 'ready']);
