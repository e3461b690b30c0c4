/**
 * Reads values as Python prints them: `{'a': [1, None]}`, `Config(mode=<Mode.FAST: 3>, dtype=torch.bfloat16)`, JSON too. Never throws; of a text
 * that was cut it gives what stands there whole. One pass: each character is looked at a bounded number of times.
 */

import type { JsonObject, JsonValue } from '../events.ts';
import { ReprText } from './repr-text.ts';

/** Deeper values are kept as their text. */
const MAX_DEPTH = 8;

/** `model='/m', seed=0, …`: what stands between the brackets of a call, or a whole message without any. `isCut`: its last word may lack its end. */
export function parsePairs(text: string, isCut = false): JsonObject {
  return new Repr(text).pairs(isCut);
}

/** The value that the text begins with, or null where it holds none. */
export function parseRepr(text: string): JsonValue {
  return new Repr(text).value(0, '') ?? null;
}

/** undefined = the value was cut off. */
type Read = JsonValue | undefined;

class Repr {
  readonly #text: ReprText;

  constructor(text: string) {
    this.#text = new ReprText(text);
  }

  pairs(isCut: boolean): JsonObject {
    const pairs: [string, JsonValue][] = [];
    for (this.#text.skipBetween(); !this.#text.isAtEnd; this.#text.skipBetween()) {
      const key = this.#text.takeKey();
      const value = this.value(0, '');
      const isWhole = value !== undefined && !(isCut && this.#text.isAtEnd && this.#text.endedInWord);
      if (key !== null && isWhole) pairs.push([key, value]);
      // A bracket that nothing opened.
      if (!this.#text.isAtEnd && !this.#text.isBetween) this.#text.skip();
    }
    return Object.fromEntries(pairs);
  }

  /** `stops`: what ends a word here beside a comma and a closing bracket. */
  value(depth: number, stops: string): Read {
    this.#text.skipSpaces();
    const first = this.#text.peek();
    if (depth > MAX_DEPTH && '[({'.includes(first) && first !== '') return this.#text.takeNested();
    switch (first) {
      case '':
        return undefined;
      case '[':
        return this.#items(depth, ']');
      case '(':
        return this.#items(depth, ')');
      case '{':
        return this.#braces(depth);
      case '<':
        return this.#text.takeAngles();
      case "'":
      case '"':
        return this.#text.takeQuoted();
      default:
        return this.#word(depth, stops);
    }
  }

  #word(depth: number, stops: string): Read {
    const word = this.#text.takeWord(stops, depth > 0);
    if (word === undefined || !word.isCall) return word?.value;
    return depth > MAX_DEPTH ? this.#text.takeNested() : this.#call(depth, word.name);
  }

  #items(depth: number, close: string): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.#text.skip();
    while (!this.#isClosed(close)) {
      const item = this.value(depth + 1, '');
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  /** A dict, or a set. */
  #braces(depth: number): JsonValue {
    const pairs: [string, JsonValue][] = [];
    const members: JsonValue[] = [];
    this.#text.skip();
    while (!this.#isClosed('}')) {
      const key = this.value(depth + 1, ':');
      if (this.#text.skipIf(':')) {
        const value = this.value(depth + 1, '');
        if (key !== undefined && value !== undefined) pairs.push([nameOf(key), value]);
      } else if (key !== undefined) members.push(key);
    }
    return members.length > 0 && pairs.length === 0 ? members : Object.fromEntries(pairs);
  }

  /** Its named arguments; without any the one argument (`PosixPath('/m')`), or the list of them. */
  #call(depth: number, name: string): JsonValue {
    const pairs: [string, JsonValue][] = [];
    const others: JsonValue[] = [];
    this.#text.skip();
    while (!this.#isClosed(')')) {
      const key = this.#text.takeKey();
      const value = this.value(depth + 1, '');
      if (value === undefined) continue;
      if (key === null) others.push(value);
      else pairs.push([key, value]);
    }
    if (pairs.length > 0) return Object.fromEntries(pairs);
    const [only] = others;
    if (only === undefined) return name.endsWith('set') ? [] : `${name}()`;
    return others.length === 1 ? only : others;
  }

  /** Steps over what separates values, and over the closing bracket, or a wrong one. */
  #isClosed(close: string): boolean {
    this.#text.skipBetween();
    const next = this.#text.peek();
    if (next === '') return true;
    if (!'])}'.includes(next)) {
      this.#text.skipIf(':');
      return this.#text.isAtEnd;
    }
    if (next === close) this.#text.skip();
    return true;
  }
}

function nameOf(key: JsonValue): string {
  return typeof key === 'string' ? key : JSON.stringify(key);
}
