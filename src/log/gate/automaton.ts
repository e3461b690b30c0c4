/** Finds whether bytes hold one of many words, in one pass over them: Aho and Corasick's automaton as a table of all bytes. */

const ROOT = 0;
const FOUND = 1;
const BYTES = 256;

/** Where each of four stretches begins, and where the last one ends. */
export type Stretches = readonly [number, number, number, number, number];

export class Automaton {
  /** By state * 256 + byte: the next state. A found word stays found. */
  readonly #table: Uint16Array;

  /** The words are lowercase, and letters of the bytes count as theirs. At most 65,536 characters in all. */
  constructor(words: readonly string[]) {
    this.#table = complete(trieOf(words.map((word) => new TextEncoder().encode(word))));
  }

  /**
   * The first of four stretches that holds a word, or null. They share no word and are run side by side: each step of one waits for
   * memory, so that four take little longer than one.
   */
  firstIn(bytes: Uint8Array, stretches: Stretches): 0 | 1 | 2 | 3 | null {
    const [a, b, c, d, end] = stretches;
    const common = Math.min(b - a, c - b, d - c, end - d);
    const [one, two, three, four] = runFour(this.#table, bytes, stretches, common);
    if (run(this.#table, bytes, one, a + common, b) === FOUND) return 0;
    if (run(this.#table, bytes, two, b + common, c) === FOUND) return 1;
    if (run(this.#table, bytes, three, c + common, d) === FOUND) return 2;
    return run(this.#table, bytes, four, d + common, end) === FOUND ? 3 : null;
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

/** By state and byte the next state, as far as the words themselves go. */
type Trie = Map<number, number>[];

function trieOf(words: readonly Uint8Array[]): Trie {
  const trie: Trie = [new Map(), new Map()];
  for (const word of words) {
    let state = ROOT;
    for (const [index, byte] of word.entries()) {
      const known = trie[state]?.get(byte);
      if (known === FOUND) break;
      const isLast = index === word.length - 1;
      const next = isLast ? FOUND : (known ?? trie.push(new Map()) - 1);
      trie[state]?.set(byte, next);
      state = next;
    }
  }
  return trie;
}

/** Every missing step leads where the longest end of what was read leads that is a beginning of a word. */
function complete(trie: Trie): Uint16Array {
  const table = new Uint16Array(trie.length * BYTES);
  table.fill(FOUND, FOUND * BYTES, (FOUND + 1) * BYTES);
  const queue = [{ state: ROOT, fallback: ROOT }];
  for (const { state, fallback } of queue) {
    const row = state * BYTES;
    const other = table.subarray(fallback * BYTES, (fallback + 1) * BYTES);
    if (state !== ROOT) table.set(other, row);
    for (const [byte, next] of trie[state] ?? []) {
      const below = state === ROOT ? ROOT : (other[byte] ?? ROOT);
      table[row + byte] = below === FOUND ? FOUND : next;
      if (next !== FOUND && below !== FOUND) queue.push({ state: next, fallback: below });
    }
    for (let upper = 0x41; upper <= 0x5a; upper += 1) table[row + upper] = table[row + upper + 0x20] ?? ROOT;
  }
  return table;
}
