/** What a row of the rules is. Its sample is run by a test, so it is a comment that can't rot. */

import type { LogEvent } from '../events.ts';

type Unplaced<E> = E extends unknown ? Omit<E, 'line' | 'stamp'> : never;

/** An event before the reader puts it at its line; `file` is one that the reader counts itself. */
export type Finding =
  | Unplaced<LogEvent>
  | { readonly kind: 'file'; readonly index: number; readonly total: number; readonly isDone: boolean };

export interface Rule {
  /** The message as printed, without its head. */
  readonly sample: string;
  /** The message starts with one of these; a row is tried only then. */
  readonly starts: readonly string[];
  readonly pattern?: RegExp;
  /** The row tells which engine speaks, or holds for that one only. */
  readonly engine?: 'vllm' | 'sglang';
  /** A server's first line: all before it belongs to an older start. */
  readonly isStart?: boolean;
  /** `match.input` is the whole message, also of a row without a pattern. */
  find(match: RegExpMatchArray): readonly Finding[];
}

/** A row that knows messages by what they start with: `sample`, unless `more` names other starts. */
export function row(sample: string, find: Rule['find'], more: Partial<Rule> = {}): Rule {
  return { sample, starts: [sample], find, ...more };
}

export function phase(name: Extract<LogEvent, { kind: 'phase' }>['phase']): Finding {
  return { kind: 'phase', phase: name };
}

export function fact(key: string, value: string | number | boolean): Finding {
  return { kind: 'fact', key, value };
}

export function progress(name: Extract<LogEvent, { kind: 'phase' }>['phase'], match: RegExpMatchArray): Finding {
  const { done = '0', total = '0' } = match.groups ?? {};
  return { kind: 'progress', progress: { phase: name, done: Number(done), total: Number(total) } };
}
