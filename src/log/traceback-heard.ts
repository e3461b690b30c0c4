/** A line as the collector of tracebacks takes it: whose it is, and what it is of a traceback's parts. */

import type { Spoken } from './speaker.ts';
import { groupLineOf } from './traceback-group-lines.ts';
import { HEAD } from './traceback-head.ts';
import { remoteHeadOf } from './traceback-lines.ts';

export interface TracebackAt {
  readonly line: number;
  readonly end: '\n' | '\r' | null;
}

export interface Heard extends TracebackAt {
  readonly said: Spoken;
  /** Without what an exception group draws before it. */
  readonly text: string;
  /** The column of the group's bar; 0 where there is none. */
  readonly margin: number;
  readonly rule: 'first' | 'next' | 'end' | null;
  /** The text from a traceback's head on, where the line ends in one; else null. */
  readonly head: string | null;
  /** Process and pid. */
  readonly speaker: string;
  /** The record's `core.py:1136`, or ''. */
  readonly source: string;
  /** No logger's head stands before it, or it is of a JSON record, which holds its traceback in itself. */
  readonly isRaw: boolean;
  /** The line of the JSON record that it is of, or null. */
  readonly record: number | null;
}

/** `isInGroup`: of this speaker an exception group is being read. */
export function hear(said: Spoken, at: TracebackAt, isInGroup: (speaker: string) => boolean): Heard {
  const full = said.message.trimEnd();
  const speaker = speakerOf(said);
  const part = full.startsWith('  ') ? groupLineOf(full, isInGroup(speaker)) : null;
  const text = part?.text ?? full;
  return {
    said,
    line: at.line,
    end: at.end,
    text,
    margin: part?.margin ?? 0,
    rule: part?.rule ?? null,
    head: headOf(text),
    speaker,
    source: said.source ?? '',
    isRaw: said.shape === 'plain' || said.shape === 'json',
    record: said.shape === 'json' ? at.line : null,
  };
}

function speakerOf({ process, pid }: Pick<Spoken, 'process' | 'pid'>): string {
  return `${process ?? ''}/${pid ?? ''}`;
}

function headOf(text: string): string | null {
  if (!text.endsWith(HEAD)) return remoteHeadOf(text);
  const from = text.length - HEAD.length;
  const group = 'Exception Group ';
  return text.endsWith(group, from) ? text.slice(from - group.length) : HEAD;
}
