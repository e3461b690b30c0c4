/** What `tail` says of its file in the midst of the file's bytes, told from them. */

/** Its messages, the longest included. */
const MOST = 400;
const BEGIN = Buffer.from('tail: ');
const LINE_FEED = 0x0a;
const QUIET = 250;
const LONG_QUIET = 5_000;

/** An equivalent spelling of /proc/self/fd/3 that holds each bit of the nonce: what is said of this path is tail's own, no log text knows it. */
export function spellDescriptor(nonce: Uint8Array): string {
  const bits = [...nonce].flatMap((byte) => Array.from({ length: 8 }, (_, index) => (byte >> index) & 1));
  return `/proc/self/fd/${bits.map((bit) => (bit === 0 ? './' : './/')).join('')}3`;
}

/** Takes a stream apart into bytes of the file and messages (texts). What may be the beginning of a message is held until more has come. */
export class TailVoice {
  readonly #spelling: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(spelling: string) {
    this.#spelling = Buffer.from(spelling);
  }

  feed(bytes: Uint8Array): (Uint8Array | string)[] {
    const all =
      this.#held.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        : Buffer.concat([this.#held, bytes]);
    const parts: (Uint8Array | string)[] = [];
    let from = 0;
    for (;;) {
      const at = all.indexOf(this.#spelling, from);
      const end = at < 0 ? -1 : all.indexOf(LINE_FEED, at);
      if (end < 0) break;
      const start = Math.max(from, all.lastIndexOf(BEGIN, at));
      parts.push(all.subarray(from, start), all.toString('utf8', start, end));
      from = end + 1;
    }
    const hold = beginning(all, from);
    parts.push(all.subarray(from, hold));
    this.#held = all.subarray(hold);
    return parts.filter((part) => part.length > 0);
  }

  /** ms without a byte after which what is held is no message's beginning; null where nothing is held that `rest` would give. */
  get patience(): number | null {
    const { length } = this.#held;
    const words = this.#held.subarray(BEGIN.length, BEGIN.length + this.#spelling.length);
    if (length === 0 || (words.length > 0 && this.#spelling.indexOf(words) === 0)) return null;
    return length < BEGIN.length ? QUIET : LONG_QUIET;
  }

  /** Bytes that are held. */
  get held(): number {
    return this.#held.length;
  }

  /** What is held, once nothing has come for so long: tail writes its first word at once, and the rest right behind it. */
  rest(): Uint8Array {
    if (this.patience === null) return Buffer.alloc(0);
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }
}

/** Where a message may begin that is not over, else the end. */
function beginning(all: Buffer, from: number): number {
  const line = Math.max(from, all.lastIndexOf(LINE_FEED) + 1, all.length - MOST);
  const begun = all.indexOf(BEGIN, line);
  if (begun >= 0) return begun;
  for (let length = Math.min(BEGIN.length - 1, all.length - line); length > 0; length -= 1) {
    if (all.subarray(all.length - length).equals(BEGIN.subarray(0, length))) return all.length - length;
  }
  return all.length;
}
