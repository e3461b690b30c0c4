/** A log read in one piece, in several, and judged. */

import { readdirSync, readFileSync } from 'node:fs';
import { type Evidence, type Judgement, judge } from '../../src/diagnosis/judge.ts';
import type { LogEvent, LogKind } from '../../src/log/events.ts';
import { isReadable, openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';

export interface LabelledLog {
  readonly kind: LogKind;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const folder = new URL('../corpus/', import.meta.url);

/** The logs of the corpus. */
export function labelledLogs(): LabelledLog[] {
  return (['serve', 'train'] as const).flatMap((kind) =>
    readdirSync(new URL(kind, folder))
      .sort()
      .map((name) => ({
        kind,
        name,
        bytes: new Uint8Array(readFileSync(new URL(`${kind}/${name}/log.txt`, folder))),
      })),
  );
}

export interface Cut {
  /** A share of the length. */
  readonly at: number;
  /** A new reader goes on from the old one's checkpoint, through JSON. */
  readonly resumes: boolean;
}

/** The events of a log that is fed in pieces; in one where there are no cuts. */
export function readInPieces(bytes: Uint8Array, kind: LogKind, cuts: readonly Cut[] = []): LogEvent[] {
  const events: LogEvent[] = [];
  let reader = openLogReader({ kind, secrets: [], resume: null });
  let from = 0;
  for (const { at, resumes } of cuts.toSorted((a, b) => a.at - b.at)) {
    const to = Math.max(from, Math.floor(at * bytes.length));
    events.push(...reader.feed(bytes.subarray(from, to)).events);
    from = to;
    if (!resumes) continue;
    const saved: ReturnType<typeof reader.checkpoint> = JSON.parse(JSON.stringify(reader.checkpoint()));
    if (!isReadable(saved.carry)) throw new Error('a reader must be able to read what it saved');
    reader = openLogReader({ kind, secrets: [], resume: saved });
    from = saved.offset;
  }
  events.push(...reader.feed(bytes.subarray(from)).events);
  events.push(...reader.end().events);
  return events;
}

/** The events of a log that is fed byte by byte. */
export function readByteByByte(bytes: Uint8Array, kind: LogKind): LogEvent[] {
  const reader = openLogReader({ kind, secrets: [], resume: null });
  const events: LogEvent[] = [];
  for (let at = 0; at < bytes.length; at += 1) events.push(...reader.feed(bytes.subarray(at, at + 1)).events);
  return [...events, ...reader.end().events];
}

export function readingOf(events: readonly LogEvent[], kind: LogKind): Reading {
  return events.reduce(addEvent, emptyReading(kind));
}

const EVIDENCE: readonly Evidence[] = [
  { alive: true, exitCode: null },
  ...[null, 0, 1, 130, -9, -15].map((exitCode) => ({ alive: false, exitCode })),
];

/** What is judged of a log on all evidence that there can be beside it. */
export function judgements(events: readonly LogEvent[], kind: LogKind): Judgement[] {
  const reading = readingOf(events, kind);
  return EVIDENCE.map((evidence) => judge(reading, evidence));
}
