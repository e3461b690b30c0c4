/** Finds whether bytes hold one of many words, in one pass over them. */

import { BYTES, trieOf } from './trie.ts';

const ROOT = 0;

/** Where each of four stretches begins, and where the last one ends. */
export type Stretches = readonly [number, number, number, number, number];

export class Automaton {
  readonly #table: Uint16Array;
  /** A state that is never left. */
  readonly #found: number;

  /** The words are lowercase, and letters of the bytes count as theirs. */
  constructor(words: readonly string[]) {
    const { table, ends } = trieOf(words);
    this.#found = ends.length;
    this.#table = new Uint16Array(table.length + BYTES).fill(this.#found);
    this.#table.set(table.map((next) => (ends[next]?.length === 0 ? next : this.#found)));
  }

  /**
   * The first of four stretches that holds a word, or null. They share no word and are run side by side: each step of one waits for
   * memory, so that four take little longer than one.
   */
  firstIn(bytes: Uint8Array, stretches: Stretches): 0 | 1 | 2 | 3 | null {
    const [a, b, c, d, end] = stretches;
    const common = Math.min(b - a, c - b, d - c, end - d);
    const [one, two, three, four] = runFour(this.#table, bytes, stretches, common);
    if (run(this.#table, bytes, one, a + common, b) === this.#found) return 0;
    if (run(this.#table, bytes, two, b + common, c) === this.#found) return 1;
    if (run(this.#table, bytes, three, c + common, d) === this.#found) return 2;
    return run(this.#table, bytes, four, d + common, end) === this.#found ? 3 : null;
  }
}

function runFour(table: Uint16Array, bytes: Uint8Array, [a, b, c, d]: Stretches, length: number) {
  let one = ROOT;
  let two = ROOT;
  let three = ROOT;
  let four = ROOT;
  for (let at = 0; at < length; at += 1) {
    one = table[(one << 8) | (bytes[a + at] ?? 0)] ?? ROOT;
    two = table[(two << 8) | (bytes[b + at] ?? 0)] ?? ROOT;
    three = table[(three << 8) | (bytes[c + at] ?? 0)] ?? ROOT;
    four = table[(four << 8) | (bytes[d + at] ?? 0)] ?? ROOT;
  }
  return [one, two, three, four] as const;
}

function run(table: Uint16Array, bytes: Uint8Array, from: number, start: number, stop: number): number {
  let state = from;
  for (let at = start; at < stop; at += 1) state = table[(state << 8) | (bytes[at] ?? 0)] ?? ROOT;
  return state;
}
