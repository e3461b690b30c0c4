/**
 * Records of Python's rich logging: `[HH:MM:SS] LEVEL    message    file.py:123`, wrapped to the console's width (80 without a
 * terminal). The time is blank in the second of the record before; further lines are indented to the message's column; the source
 * file stands at the right edge of the first line only. (rich 13, tried with speculators' logger)
 */

import type { RichRecord } from './state.ts';

const HEAD = /^(\[(?:\d\d\/\d\d\/\d\d )?\d\d:\d\d:\d\d\]| {10}| {19}) (DEBUG|INFO|WARNING|ERROR|CRITICAL) {1,4}\S? ?/;
const SOURCE = /\s([\w.-]+\.py:\d+)$/;
const LEVEL_COLUMNS = 8;

/** The record that begins on this line, or null. */
export function beginRecord(text: string, line: number): RichRecord | null {
  const head = HEAD.exec(text);
  if (head === null) return null;
  const indent = (head[1]?.length ?? 0) + 1 + LEVEL_COLUMNS + 1;
  const all = text.trimEnd();
  const source = SOURCE.exec(all)?.[1] ?? '';
  const width = source === '' ? 0 : all.length - source.length - 1 - indent;
  const message = all.slice(indent, all.length - source.length).trimEnd();
  const level = head[2] ?? 'INFO';
  const isFolded = joins(message, width);
  return { line, level, indent, width, text: message.trimStart(), isFolded, isTold: false };
}

/** The record with a further line, or null where the line is none of it. */
export function continueRecord(record: RichRecord, text: string): RichRecord | null {
  if (text.length <= record.indent || text.slice(0, record.indent).trim() !== '') return null;
  const part = text.slice(record.indent).trimEnd();
  if (part === '') return null;
  const joined = record.isFolded ? record.text + part : `${record.text} ${part}`;
  return { ...record, text: joined.slice(0, MAX_TEXT), isFolded: joins(part, record.width) };
}

const MAX_TEXT = 8 * 1024;
/** A console as wide as this was set so that records fit: a message that fills half of it is whole. */
const WIDE = 200;

/** True where nothing of the record can follow, as a traceback may behind an error. */
export function isWhole(record: RichRecord): boolean {
  return record.level !== 'ERROR' && record.width >= WIDE && record.text.length <= record.width / 2;
}

/** Long paths are cut behind a `/`, longer words at the column's edge. */
function joins(part: string, width: number): boolean {
  return part.endsWith('/') || (width > 0 && part.length >= width && !part.includes(' '));
}
