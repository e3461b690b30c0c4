/**
 * What something else put before every line of a file and what a logger could have written as well: `ts`, `srun -l`, torchrun's --tee,
 * process managers, cloud loggers. (What nobody else writes is taken off line by line: speaker-patterns.ts.) It is taken off where the
 * file itself proves that it is no logger's own: behind it stands a head that nobody writes behind one of his own (rich's, torch's, a
 * process's, a traceback's). From that line on it is taken off every line, indents being kept.
 */

import { z } from 'zod';
import type { LogKind } from './events.ts';
import { RANK } from './speaker-patterns.ts';

export const wrapperName = z.enum(['stamp', 'ts', 'clock', 'seconds', 'label', 'severity', 'name', 'pod']);
export type WrapperName = z.infer<typeof wrapperName>;

const TIME = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?';
const ZONE = '(?:Z|[+-]\\d\\d:?\\d\\d)';
const DAY = '\\d{4}-\\d\\d-\\d\\d';
const DATE = `${DAY}[T ]${TIME}${ZONE}?`;
const WRAPPERS: readonly (readonly [WrapperName, RegExp, LogKind?])[] = [
  ['stamp', new RegExp(`^(?:\\[${DATE}\\]|${DAY}(?: ${TIME}${ZONE}?|T${TIME}))(?: (?:\\| ?)?|$)`)],
  ['ts', new RegExp(`^(?:\\[[A-Z][a-z]{2} [ \\d]\\d ${TIME}\\]|[A-Z][a-z]{2} [ \\d]\\d ${TIME})(?: |$)`)],
  ['clock', new RegExp(`^(?:\\[${TIME}\\]|${TIME})(?: |$)`)],
  ['seconds', /^\d{10}(?:\.\d+)?(?: |$)/],
  ['label', /^(?:\d{1,4}: ?|\[[a-z]+\d+\]:)/],
  // Cloud loggers' own level and time.
  ['severity', new RegExp(`^(?:DEFAULT|DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL) ${DATE}(?: |$)`), 'serve'],
  // A run script marks its own words like this: there they tell who speaks.
  ['name', /^\[[\w./:-]{1,60}\](?: |$)/, 'serve'],
  // Of stern: the pod and the container.
  ['pod', /^[a-z][\w.-]{1,80} [a-z][\w.-]{1,60}(?: |$)/, 'serve'],
];
/** What nobody writes behind a head of his own. */
const HEAD =
  /^(?:(?:\[\d\d:\d\d:\d\d\]| {10}) (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) |(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d |\[rank\d+\]:|[WEIF]\d{4} \d\d:\d\d:\d\d\.\d+ |\([A-Za-z][\w.:-]* pid=\d+\) |Traceback \(most recent call last\):$|Epoch \d+ +\d+% |\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \| |\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: [A-Z]{2}\d+){0,4}\] )/;
const STAMP = /(\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/;

export interface Unwrapped {
  readonly text: string;
  /** The wrapper's own time, `11-30 07:41:56`, or null. */
  readonly stamp: string | null;
}

export class Wrapping {
  readonly #kind: LogKind;
  #name: WrapperName | null;

  constructor(kind: LogKind, name: WrapperName | null) {
    this.#kind = kind;
    this.#name = name;
  }

  get isKnown(): boolean {
    return this.#name !== null;
  }

  save(): WrapperName | null {
    return this.#name;
  }

  /** The line without what the file's wrapper put before it. */
  unwrap(text: string): Unwrapped {
    // torch itself puts it before what a rank says: it is the rank's name.
    if (RANK.test(text)) return { text, stamp: null };
    const known = this.#name;
    for (const [name, pattern, only] of WRAPPERS) {
      if ((known !== null && name !== known) || (only !== undefined && only !== this.#kind)) continue;
      const prefix = pattern.exec(text)?.[0];
      if (prefix === undefined) continue;
      const rest = text.slice(prefix.length);
      if (known === null && !HEAD.test(rest)) continue;
      this.#name = name;
      const [, day, time] = STAMP.exec(prefix) ?? [];
      return { text: rest, stamp: day === undefined ? null : `${day} ${time}` };
    }
    return { text, stamp: null };
  }
}
