/** Which of many rules are worth trying on a text: those of which it holds a word. */

import { literalsOf } from './literals.ts';
import { type Trie, trieOf } from './trie.ts';

export class RuleIndex<R extends { readonly pattern: RegExp }> {
  readonly #rules: readonly R[];
  readonly #trie: Trie;
  /** By word of the trie: the rule that it is of. */
  readonly #ruleOf: readonly number[];
  /** Of which no word is certain. */
  readonly #always: readonly number[];
  readonly #others: readonly R[];

  constructor(rules: readonly R[]) {
    const words = rules.map(({ pattern }) => literalsOf(pattern));
    this.#rules = rules;
    this.#trie = trieOf(words.flatMap((each) => each ?? []));
    this.#ruleOf = words.flatMap((each, rule) => (each ?? []).map(() => rule));
    this.#always = words.flatMap((each, rule) => (each === null ? [rule] : []));
    this.#others = this.#always.flatMap((rule) => rules[rule] ?? []);
  }

  /** In their order. None of the others' patterns fits the text. */
  candidates(text: string): readonly R[] {
    const { table, ends } = this.#trie;
    const found = new Set<number>();
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      state = code > 0x7f ? 0 : (table[(state << 8) | code] ?? 0);
      for (const word of ends[state] ?? []) found.add(this.#ruleOf[word] ?? 0);
    }
    if (found.size === 0) return this.#others;
    return [...found, ...this.#always].sort((a, b) => a - b).flatMap((rule) => this.#rules[rule] ?? []);
  }
}
