/**
 * Tells the lines of a server's log that may mean something from the millions that can't (requests, throughput), by their bytes,
 * before anything is decoded or taken apart. A training's lines nearly all mean something: its log has no gate.
 */

import { Automaton, type Stretches } from './automaton.ts';
import { serverSigns } from './signs.ts';

const LF = 0x0a;
/** Bytes that are looked at in one go: few at first, since what lies behind a line that is worth reading is looked at again, then ever more. */
const FIRST_BLOCK = 256;
const LARGEST_BLOCK = 16384;

export class Gate {
  readonly #words: Automaton;

  constructor(words: readonly string[]) {
    this.#words = new Automaton(words);
  }

  /** From the line that starts at `start` on: where the first line begins that may mean something, or that doesn't end before `stop`. */
  idleUntil(bytes: Buffer, start: number, stop: number): number {
    let block = FIRST_BLOCK;
    for (let at = start; at < stop; block = Math.min(2 * block, LARGEST_BLOCK)) {
      const end = endOfLines(bytes, at, Math.min(at + block, stop)) ?? bytes.indexOf(LF, at) + 1;
      if (end === 0 || end > stop) return at;
      const worth = this.#firstWorth(bytes, at, end);
      if (worth !== null) return worth;
      at = end;
    }
    return Math.max(start, stop);
  }

  /** The start of the first line that holds a word: found in a quarter of the lines, then in a quarter of that one. */
  #firstWorth(bytes: Buffer, start: number, stop: number): number | null {
    const lines = quarters(bytes, start, stop);
    const found = this.#words.firstIn(bytes, lines);
    if (found === null) return null;
    const [first, last] = [lines[found] ?? start, lines[found + 1] ?? stop];
    return first === start && last === stop ? start : this.#firstWorth(bytes, first, last);
  }
}

let made: Gate | null = null;

/** Made once a process (some 30 ms). */
export function serverGate(): Gate {
  made ??= new Gate(serverSigns());
  return made;
}

/** Whole lines in four stretches, some of them perhaps empty; a single line stands in one. */
function quarters(bytes: Buffer, start: number, stop: number): Stretches {
  const cut = (from: number, share: number) =>
    endOfLines(bytes, from, start + Math.ceil((share * (stop - start)) / 4)) ?? from;
  const b = cut(start, 1);
  const c = cut(b, 2);
  const d = cut(c, 3);
  return [start, b, c, d, stop];
}

/** Behind the last `\n` from `start` up to `stop`; null where there is none. */
function endOfLines(bytes: Buffer, start: number, stop: number): number | null {
  const last = stop > start ? bytes.lastIndexOf(LF, stop - 1) : -1;
  return last < start ? null : last + 1;
}
