/** Aho and Corasick's automaton over the bytes of many words, as a table. */

const ROOT = 0;
export const BYTES = 256;

export interface Trie {
  /** By state * 256 + byte: the next state. State 0 is the start. */
  readonly table: Uint16Array;
  /** By state: the words that end there, by their places in the list. */
  readonly ends: readonly (readonly number[])[];
}

/** The words are lowercase, and letters of what is looked through count as theirs. At most 65,535 bytes in all. */
export function trieOf(words: readonly string[]): Trie {
  const steps: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const [index, word] of words.entries()) {
    let state = ROOT;
    for (const byte of new TextEncoder().encode(word)) {
      const known = steps[state]?.get(byte);
      const next = known ?? steps.push(new Map()) - 1;
      if (known === undefined) {
        steps[state]?.set(byte, next);
        ends.push([]);
      }
      state = next;
    }
    ends[state]?.push(index);
  }
  return { table: complete(steps, ends), ends };
}

/** Every missing step leads where the longest end of what was read leads that is a beginning of a word; the words that end there end here too. */
function complete(steps: readonly ReadonlyMap<number, number>[], ends: readonly number[][]): Uint16Array {
  const table = new Uint16Array(steps.length * BYTES);
  const queue = [{ state: ROOT, fallback: ROOT }];
  for (const { state, fallback } of queue) {
    const row = state * BYTES;
    const other = table.subarray(fallback * BYTES, (fallback + 1) * BYTES);
    if (state !== ROOT) {
      table.set(other, row);
      ends[state]?.push(...(ends[fallback] ?? []));
    }
    for (const [byte, next] of steps[state] ?? []) {
      queue.push({ state: next, fallback: state === ROOT ? ROOT : (other[byte] ?? ROOT) });
      table[row + byte] = next;
    }
    for (let upper = 0x41; upper <= 0x5a; upper += 1) table[row + upper] = table[row + upper + 0x20] ?? ROOT;
  }
  return table;
}
