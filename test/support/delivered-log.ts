/** What a follower delivered, and whether it is what the log's generations held. */

import type { LogChunk, LogPosition } from '../../src/host/log.ts';
import type { Held } from './rotated-log.ts';

interface Segment {
  readonly inode: string;
  readonly offset: number;
  /** A loss was told with its opening. */
  hasLoss: boolean;
  pieces: Buffer[];
  length: number;
}

export class DeliveredLog {
  position: LogPosition = { generation: null, offset: 0 };
  readonly #segments: Segment[] = [];
  losses = 0;
  /** What came, in short. */
  readonly story: string[] = [];

  take(chunk: LogChunk): void {
    const { position } = this;
    if (chunk.kind === 'opened') this.story.push(`${chunk.generation.inode}@${chunk.offset}/${chunk.size}`);
    else if (chunk.kind !== 'known') this.story.push(chunk.kind === 'bytes' ? `+${chunk.bytes.length}` : chunk.kind);
    if (chunk.kind === 'bytes') {
      const last = this.#last();
      last.pieces.push(Buffer.from(chunk.bytes));
      last.length += chunk.bytes.length;
      this.position = { ...position, offset: position.offset + chunk.bytes.length };
    } else if (chunk.kind === 'known') {
      this.position = { ...position, generation: chunk.generation };
    } else if (chunk.kind === 'lost') {
      this.losses += 1;
      const { inode, length } = this.#last();
      const begun = length === 0 ? this.#last() : this.#begin(inode, position.offset);
      begun.hasLoss = true;
    } else if (chunk.kind === 'opened') {
      const { inode } = chunk.generation;
      if (inode !== position.generation?.inode || chunk.offset !== position.offset) this.#begin(inode, chunk.offset);
      this.position = { generation: chunk.generation, offset: chunk.offset };
    }
  }

  /** null when all is right and the last generation has come whole; else what is wrong (or not there yet). */
  judge(generations: readonly Held[]): string | null {
    let read = { at: -1, last: -1, end: 0 };
    let isTold = false;
    for (const { inode, offset, pieces, length, hasLoss } of this.#segments) {
      isTold ||= hasLoss;
      const isGoingOn = hasLoss && offset === read.end && isHole(generations[read.last]);
      if (length === 0 && isGoingOn) read = { ...read, at: read.last };
      if (length === 0) continue;
      const piece = { inode, offset, bytes: Buffer.concat(pieces) };
      const place = placeOf(generations, piece, hasLoss ? read.at + 1 : Math.max(0, read.at));
      const wrong = place === null ? 'is in no generation' : faultOf({ generations, read, offset, place, isTold });
      if (wrong !== null) return `${inode}@${offset}+${length} ${wrong}, after generation ${read.at} to ${read.end}`;
      if (place !== null) read = { at: place.first, last: place.last, end: offset + length };
      // A file that begins with a hole looks the same when it is cut again, and goes on at its place.
      if (isHole(generations[read.at]) && isHole(generations[read.last])) read = { ...read, at: read.last };
      isTold = false;
    }
    const last = generations.at(-1);
    const isOver = read.at === generations.length - 1 && read.end === last?.content.length;
    return isOver ? null : `read generation ${read.at} to ${read.end}, not ${generations.length - 1} to its end`;
  }

  #last(): Segment {
    return this.#segments.at(-1) ?? this.#begin('', 0);
  }

  #begin(inode: string, offset: number): Segment {
    const segment = { inode, offset, hasLoss: false, pieces: [], length: 0 };
    this.#segments.push(segment);
    return segment;
  }
}

interface Piece {
  readonly inode: string;
  readonly offset: number;
  readonly bytes: Buffer;
}

interface Place {
  readonly first: number;
  /** Another than `first` where the file was begun anew while it was read, and nobody could see it at once. */
  readonly last: number;
}

interface Judged {
  readonly generations: readonly Held[];
  readonly read: { readonly at: number; readonly end: number };
  readonly offset: number;
  readonly place: Place;
  readonly isTold: boolean;
}

function faultOf({ generations, read, offset, place, isTold }: Judged): string | null {
  if (place.first === read.at) return offset === read.end ? null : 'was delivered twice, or leaves something out';
  if (offset > 0 && !isHole(generations[place.first])) return `is no start of generation ${place.first}`;
  if (isTold || read.at < 0) return null;
  const isWhole = generations[read.at]?.content.length === read.end;
  const between = generations.slice(read.at + 1, place.first);
  return isWhole && between.every(isUnseen) ? null : `is of generation ${place.first}, and no loss was told`;
}

function placeOf(generations: readonly Held[], piece: Piece, from: number): Place | null {
  const whole = generations.findIndex((held, k) => k >= from && holds(held, piece));
  if (whole >= 0) return { first: whole, last: whole };
  const first = generations.findIndex((_, k) => k >= from && overlap(generations, k, piece) !== null);
  const last = overlap(generations, first, piece);
  return last === null ? null : { first, last };
}

function holds({ inodes, content }: Held, piece: Piece): boolean {
  return inodes.includes(piece.inode) && commonLength(content, piece) === piece.bytes.length;
}

/** Bytes that were read at their place after the file had been begun anew are a later generation's: the index of the last one. */
function overlap(generations: readonly Held[], at: number, piece: Piece): number | null {
  const held = generations[at];
  if (held === undefined || held.inodes[0] !== piece.inode) return null;
  const length = commonLength(held.content, piece);
  if (length === piece.bytes.length) return at;
  if (length === 0) return null;
  const rest = { ...piece, offset: piece.offset + length, bytes: piece.bytes.subarray(length) };
  for (let later = at + 1; later < generations.length; later += 1) {
    const last = overlap(generations, later, rest);
    if (last !== null) return last;
  }
  return null;
}

/** Nobody who has not opened it before can know that it was there. */
function isUnseen({ content, isGone }: Held): boolean {
  return isGone || content.length === 0;
}

function commonLength(content: Buffer, { offset, bytes }: Piece): number {
  let length = 0;
  while (length < bytes.length && content[offset + length] === bytes[length]) length += 1;
  return length;
}

function isHole(held: Held | undefined): boolean {
  return held?.content[0] === 0;
}
