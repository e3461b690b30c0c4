/** The log of a run, read as it grows: bytes from the host, events into the inbox, the last lines kept for people. */

import type { Generation, LogChunk, LogPosition } from '../host/log.ts';
import type { LogMark } from '../journal.ts';
import { EMPTY_CARRY } from '../log/carry.ts';
import type { LogEvent, LogKind } from '../log/events.ts';
import { isReadable, type LogRead, type LogReader, openLogReader } from '../log/reader.ts';
import { isGoodAnswer, saysOnlyThatItWaits } from '../log/waiting-lines.ts';
import type { Observation } from '../run/observe.ts';
import type { HostClock } from '../run/stamp.ts';

const MOST_LINES = 40;
const MOST_TAIL_BYTES = 8 * 1024;
const MOST_LINE = 500;
const KEPT_END = 160;
const NONE = new Uint8Array();
/** More than this is no dot that a script draws while it waits (bytes). */
const MOST_DOTS = 256;

interface Times {
  readonly clock: HostClock;
  /** Our clock, ms. */
  readonly seen: number;
}

export interface WatchedLog {
  /** Takes one chunk; returns what it means. */
  take(chunk: LogChunk, times: Times): Observation[];
  /** The file is complete: reads a last line without an end. */
  end(times: Times): Observation[];
  /** What it would have said as well if nothing came any more: a traceback whose message may go on. */
  unsaid(): readonly LogEvent[];
  /** The next byte to ask for, within this process: the reader goes on in mid-line. */
  position(): LogPosition;
  /** Where another process would go on: at a line's start, with the reader's carry. */
  checkpoint(): LogMark;
  /** null until this process has read a line: what the journal holds stays. */
  tail(): readonly string[] | null;
}

export interface WatchedLogOptions {
  readonly kind: LogKind;
  readonly source: 'main' | 'target';
  readonly secrets: readonly string[];
  readonly saved: LogMark | null;
  /** So many bytes stood in the log before the run was found: history. */
  readonly history: number;
}

/** Goes on where a mark was saved; one that this reader's version can't read means reading from the log's start again. */
export function openWatchedLog({ kind, source, secrets, saved, history }: WatchedLogOptions): WatchedLog {
  /** Of a file that takes the log's place, and of one that is begun anew, nothing is history. */
  let past = history;
  const resume =
    saved !== null && isReadable(saved.carry) ? { offset: saved.position.offset, carry: saved.carry } : null;
  let generation: Generation | null = resume === null ? null : (saved?.position.generation ?? null);
  let reader: LogReader = openLogReader({ kind, secrets, resume, tail: MOST_LINES });
  let delivered = resume?.offset ?? 0;
  let tail: string[] | null = null;

  const reading = ({ events, lines }: LogRead, { clock, seen }: Times, bytes: Uint8Array = NONE): Observation[] => {
    const told = lines.filter((line) => !isGoodAnswer(line));
    if (told.length > 0) tail = shorten([...(tail ?? []), ...told]);
    const isSilent = events.every(({ kind }) => kind === 'waits');
    const isWaiting = isSilent && lines.length < MOST_LINES && saysOnlyThatItWaits(textOf(bytes), lines);
    const waits = isWaiting ? { saysOnlyThatItWaits: true } : {};
    return [{ kind: 'log', source, events, ...waits, clock, isOld: delivered <= past, at: clock.now, seen }];
  };

  /** Another file, or another place in it: what the reader waited for comes no more. */
  const begin = (opened: LogChunk & { kind: 'opened' }, times: Times): Observation[] => {
    const seen: Observation[] = [];
    if (opened.offset !== delivered) {
      if (generation !== null) seen.push(...reading(reader.end(), times));
      const from = { offset: opened.offset, carry: EMPTY_CARRY };
      reader = openLogReader({ kind, secrets, resume: from, tail: MOST_LINES });
    }
    if (generation !== null && (opened.offset !== delivered || opened.generation.inode !== generation.inode)) past = 0;
    delivered = opened.offset;
    generation = opened.generation;
    if (opened.skipped > 0) {
      seen.push({ kind: 'notice', text: tellSkipped(source, opened), at: times.clock.now, seen: times.seen });
    }
    return seen;
  };

  return {
    take(chunk, times) {
      const { clock, seen } = times;
      if (chunk.kind === 'missing') return [];
      if (chunk.kind === 'lost') return [{ kind: 'gap', source, why: chunk.why, at: clock.now, seen }];
      if (chunk.kind === 'opened') return begin(chunk, times);
      if (chunk.kind === 'known') {
        generation = chunk.generation;
        return [];
      }
      const old = chunk.bytes.subarray(0, Math.max(0, past - delivered));
      return [old, chunk.bytes.subarray(old.length)].flatMap((bytes) => {
        delivered += bytes.length;
        return bytes.length === 0 ? [] : reading(reader.feed(bytes), times, bytes);
      });
    },
    end: (times) => reading(reader.end(), times),
    unsaid: () => openLogReader({ kind, secrets, resume: reader.checkpoint() }).end().events,
    position: () => ({ generation, offset: delivered }),
    checkpoint() {
      const { offset, carry } = reader.checkpoint();
      return { position: { generation, offset }, carry };
    },
    tail: () => tail,
  };
}

function tellSkipped(source: 'main' | 'target', { size, offset }: LogChunk & { kind: 'opened' }): string {
  const length = size < 1e9 ? `${Math.round(size / 1e6)} MB` : `${(size / 1e9).toFixed(1)} GB`;
  const last = Math.ceil((size - offset) / 1024 / 1024);
  return `${source === 'main' ? 'The log' : "The target server's log"} has ${length}: it is read from its last ${last} MB on.`;
}

function textOf(bytes: Uint8Array): string {
  return bytes.length > MOST_DOTS ? '' : Buffer.from(bytes).toString('latin1');
}

function shorten(lines: readonly string[]): string[] {
  const last = lines.slice(-MOST_LINES).map(shortenLine);
  let bytes = 0;
  return last
    .reverse()
    .filter((line) => {
      bytes += Buffer.byteLength(line) + 1;
      return bytes <= MOST_TAIL_BYTES;
    })
    .reverse();
}

/** A trainer's record says its step at the end, behind padding: a long line keeps both ends. */
function shortenLine(line: string): string {
  const packed = line.trimEnd().replace(/ {3,}/g, '  ');
  return packed.length <= MOST_LINE ? packed : `${packed.slice(0, MOST_LINE - KEPT_END)} … ${packed.slice(-KEPT_END)}`;
}
