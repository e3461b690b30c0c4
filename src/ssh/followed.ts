/**
 * One opening of a log, as its bytes and what is said beside them come in. `ending` is null while the opened file is read; then it says why
 * another opening is due: 'cut' = the file was begun anew, 'next' = it was read to its end and another follows.
 */

import type { LogChunk } from '../host/log.ts';
import { type FollowAside, parseAside, parseHeader, type Reason, startOf } from '../shell/follow.ts';
import { TailVoice } from '../shell/tail-voice.ts';
import { Head } from './head.ts';

/** The log can't be followed: `elsewhere` = the opened descriptor is that file's, not the allowed one's; null = tail said the message. */
export class Unfollowable extends Error {
  override readonly name = 'Unfollowable';
  readonly elsewhere: string | null;

  constructor(message: string, elsewhere: string | null) {
    super(message);
    this.elsewhere = elsewhere;
  }
}

export class Followed {
  readonly #voice: TailVoice;
  /** null once the log's bytes come. */
  #header: Buffer | null = Buffer.alloc(0);
  #head: Head | null = null;
  /** Of the next byte. */
  #offset = 0;
  /** Bytes of the head that were delivered before. */
  #repeated = 0;
  #stderr = '';
  #moved: (FollowAside & { kind: 'moved' }) | null = null;
  /** A look at the head that didn't fit what was read, or can't be told yet. */
  #doubt: (FollowAside & { kind: 'head' }) | null = null;
  #isCut = false;
  /** Of the file, when it was last told. */
  #size = 0;

  constructor(spelling: string) {
    this.#voice = new TailVoice(spelling);
  }

  /** Throws Unfollowable. */
  *take(bytes: Uint8Array): Generator<LogChunk> {
    let rest = bytes;
    while (this.#header !== null && rest.length > 0) {
      const header: Buffer = Buffer.concat([this.#header, rest]);
      const end = header.indexOf(0x0a);
      this.#header = end < 0 ? header : Buffer.alloc(0);
      rest = end < 0 ? Buffer.alloc(0) : header.subarray(end + 1);
      if (end >= 0) yield* this.#begin(header.toString('utf8', 0, end));
    }
    for (const part of this.#voice.feed(rest)) {
      if (this.#isCut) return;
      if (typeof part === 'string') this.#hear(part);
      else yield* this.#deliver(part);
    }
    yield* this.settle();
  }

  /** What was held to the file's last byte is none of tail's words; nor is anything after `patience` without a byte. */
  *settle({ isLate = false } = {}): Generator<LogChunk> {
    if (isLate || this.#offset + this.#voice.held === this.#size) yield* this.#deliver(this.#voice.rest());
  }

  /** ms after which bytes wait for `settle`, or null. */
  get patience(): number | null {
    return this.#voice.patience;
  }

  /** What the script says beside the log. */
  note(stderr: string): void {
    const lines = (this.#stderr + stderr).split('\n');
    this.#stderr = lines.pop() ?? '';
    for (const aside of lines.map(parseAside)) {
      // Of a file that is shorter than what was read tail says so itself, and at the right place.
      if (aside === null || aside.size < this.#offset) continue;
      this.#size = aside.size;
      if (aside.kind === 'moved') this.#moved = aside;
      else this.#doubt = aside;
    }
  }

  ending(): Reason | null {
    if (this.#isCut || this.#isOverwritten()) return { how: 'cut' };
    if (this.#moved === null || this.#head === null || this.#offset < this.#moved.size) return null;
    return { how: 'next', next: this.#moved.next };
  }

  /** All that stood in the file at that look has come, and tail has not said that it was cut: it grew beyond what was read too fast. */
  #isOverwritten(): boolean {
    if (this.#doubt === null) return false;
    const fits = this.#head?.matches(this.#doubt) ?? null;
    if (fits === false) return this.#offset >= this.#doubt.size;
    if (fits === true) this.#doubt = null;
    return false;
  }

  *#begin(line: string): Generator<LogChunk> {
    const header = parseHeader(line);
    if (header === null) throw new Unfollowable('the log was opened, but what it is was not told', null);
    if (header.kind === 'elsewhere') throw new Unfollowable('another file was opened', header.path);
    if (header.kind === 'missing') return yield { kind: 'missing' };
    const { generation, size, offset, skipped, loss, isEmpty } = header.opening;
    const start = startOf(header.opening);
    this.#head = new Head(generation, start);
    this.#offset = offset;
    this.#size = size;
    this.#repeated = offset - start;
    if (!isEmpty) this.#header = null;
    yield { kind: 'opened', generation, size, offset, skipped };
    if (loss !== null) yield { kind: 'lost', why: loss };
  }

  *#deliver(bytes: Uint8Array): Generator<LogChunk> {
    const known = this.#head?.add(bytes) ?? null;
    const fresh = bytes.subarray(this.#repeated);
    this.#repeated = Math.max(0, this.#repeated - bytes.length);
    this.#offset += fresh.length;
    if (fresh.length > 0) yield { kind: 'bytes', bytes: fresh };
    if (known !== null) yield { kind: 'known', generation: known };
  }

  #hear(message: string): void {
    if (message.endsWith('file truncated')) this.#isCut = true;
    // A file system that tail doesn't know: it says so once, and looks as often as on any other.
    else if (!message.endsWith('reverting to polling')) throw new Unfollowable(message, null);
  }
}
