/** What a log's text tells as troubles, read whole, byte by byte, resumed all along, and with few lines wanted: all the same. */

import { expect } from 'vitest';
import type { LogKind, Trouble } from '../../src/log/events.ts';
import { isReadable, openLogReader } from '../../src/log/reader.ts';

export function troublesIn(text: string, kind: LogKind = 'serve'): Trouble[] {
  const bytes = new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`);
  const whole = read(bytes, kind, bytes.length);
  expect(read(bytes, kind, 1)).toEqual(whole);
  expect(resumed(bytes, kind)).toEqual(whole);
  expect(read(bytes, kind, 400, 1)).toEqual(whole);
  return whole;
}

/** Line, type, span and what it hangs on, in the order of the lines. */
export function outline(text: string, kind: LogKind = 'serve'): string[] {
  return troublesIn(text, kind)
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, type, process, traceback, chain }) => {
      const who = process === null ? '' : `${process} `;
      const span = traceback === null ? '-' : `${traceback.first}-${traceback.last}`;
      return `${line} ${who}${type} ${span}${chain === undefined ? '' : ` ${chain.how} ${chain.line}`}`;
    });
}

function read(bytes: Uint8Array, kind: LogKind, step: number, tail?: number): Trouble[] {
  const reader = openLogReader({ kind, secrets: [], resume: null, ...(tail === undefined ? {} : { tail }) });
  const events = [];
  for (let at = 0; at < bytes.length; at += step) events.push(...reader.feed(bytes.subarray(at, at + step)).events);
  return [...events, ...reader.end().events].flatMap((event) => (event.kind === 'trouble' ? [event.trouble] : []));
}

function resumed(bytes: Uint8Array, kind: LogKind): Trouble[] {
  let reader = openLogReader({ kind, secrets: [], resume: null });
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const to = at + 23;
    events.push(...reader.feed(bytes.subarray(at, to)).events);
    if (to >= bytes.length) break;
    const saved: unknown = JSON.parse(JSON.stringify(reader.checkpoint().carry));
    if (!isReadable(saved)) throw new Error('The carry is not read again.');
    const { offset } = reader.checkpoint();
    reader = openLogReader({ kind, secrets: [], resume: { offset, carry: saved } });
    // A piece longer than a step is fed whole: what is fed begins at the offset.
    events.push(...reader.feed(bytes.subarray(offset, to)).events);
    at = to;
  }
  return [...events, ...reader.end().events].flatMap((event) => (event.kind === 'trouble' ? [event.trouble] : []));
}
