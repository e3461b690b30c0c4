/** The words of Python's printed values: strings, numbers, names, and things in angle brackets, taken from a text one after the other. */

import type { FactValue } from '../events.ts';

/** Of one string or word; what is longer is kept up to there. */
const MAX_TEXT = 500;

const KEY = /[A-Za-z_]\w{0,80}=(?!=)/y;
/** A word ends there too: V0 printed `chunked_prefill_enabled=False multi_step_stream_outputs=True`. */
const NEXT_KEY = / {1,4}[A-Za-z_]\w{0,80}=(?!=)/y;
const PREFIXED = /^[bBrRuUfF]{1,2}$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,3})?$/;
const NAMED: Readonly<Record<string, FactValue>> = {
  None: null,
  null: null,
  True: true,
  true: true,
  False: false,
  false: false,
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

export class ReprText {
  readonly #text: string;
  #at = 0;
  /** The last value was a bare word: at the end of a text that was cut it may lack its own end. */
  endedInWord = false;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get isBetween(): boolean {
    return ' ,'.includes(this.peek());
  }

  /** The next character, '' at the end. */
  peek(): string {
    return this.#text.charAt(this.#at);
  }

  skip(): void {
    this.#at += 1;
  }

  skipIf(character: string): boolean {
    this.skipSpaces();
    if (this.peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  skipSpaces(): void {
    while (/\s/.test(this.peek())) this.#at += 1;
  }

  skipBetween(): void {
    while (/[\s,]/.test(this.peek())) this.#at += 1;
  }

  /** The name before `=`, or null where none stands. */
  takeKey(): string | null {
    KEY.lastIndex = this.#at;
    const key = KEY.exec(this.#text)?.[0];
    if (key === undefined) return null;
    this.#at += key.length;
    return key.slice(0, -1);
  }

  /** A string without its quotes, or undefined where its end is missing. */
  takeQuoted(): string | undefined {
    this.endedInWord = false;
    const quote = this.peek();
    const from = this.#at + 1;
    let at = from;
    while (at < this.#text.length && this.#text[at] !== quote) at += this.#text[at] === '\\' ? 2 : 1;
    this.#at = at + 1;
    return at < this.#text.length ? withoutEscapes(this.#text.slice(from, at)).slice(0, MAX_TEXT) : undefined;
  }

  /** `<Mode.FAST: 3>` is `Mode.FAST`, `<function main at 0x7f…>` is `function main`. */
  takeAngles(): string | undefined {
    this.endedInWord = false;
    const from = this.#at + 1;
    let open = 0;
    for (; !this.isAtEnd; this.#at += 1) {
      if (this.peek() === '<') open += 1;
      if (this.peek() === '>') open -= 1;
      if (open === 0) break;
    }
    if (this.isAtEnd) return undefined;
    const inner = this.#text.slice(from, this.#at).slice(0, MAX_TEXT);
    this.#at += 1;
    return /^([\w.]{1,200}): /.exec(inner)?.[1] ?? inner.replace(/ at 0x[0-9a-fA-F]{1,20}/g, '');
  }

  /** A bracketed value as its text, whatever it holds. */
  takeNested(): string | undefined {
    const from = this.#at;
    let open = 0;
    while (!this.isAtEnd) {
      const character = this.peek();
      if (character === "'" || character === '"') {
        this.takeQuoted();
        continue;
      }
      if ('[({'.includes(character)) open += 1;
      if ('])}'.includes(character)) open -= 1;
      this.#at += 1;
      if (open === 0) return this.#text.slice(from, this.#at).slice(0, MAX_TEXT);
    }
    return undefined;
  }

  /**
   * A word without quotes: a number, a name, `torch.bfloat16`, a path. A name before a bracket is a call, which the caller reads on.
   * Inside brackets (`isInside`) a word that the text ends with was cut: undefined.
   */
  takeWord(
    stops: string,
    isInside: boolean,
  ): { value: FactValue; isCall: boolean; name: string } | { value: string; isCall: false } | undefined {
    const from = this.#at;
    let round = 0;
    for (; !this.isAtEnd; this.#at += 1) {
      const character = this.peek();
      if (character === ',' || (round === 0 && ('])}'.includes(character) || stops.includes(character)))) break;
      if (character === '(') {
        const name = this.#text.slice(from, this.#at);
        if (/^[A-Za-z_][\w.]{0,200}$/.test(name)) return { value: null, isCall: true, name };
        round += 1;
      }
      if (character === ')') round -= 1;
      if (character === ' ' && this.#isBeforeKey()) break;
      if ((character === "'" || character === '"') && PREFIXED.test(this.#text.slice(from, this.#at).slice(0, 3))) {
        const value = this.takeQuoted();
        return value === undefined ? undefined : { value, isCall: false };
      }
    }
    this.endedInWord = true;
    if (isInside && this.isAtEnd) return undefined;
    return { value: plainValue(this.#text.slice(from, this.#at).trim()), isCall: false, name: '' };
  }

  #isBeforeKey(): boolean {
    if (this.#text[this.#at - 1] === ' ') return false;
    NEXT_KEY.lastIndex = this.#at;
    return NEXT_KEY.test(this.#text);
  }
}

function plainValue(word: string): FactValue {
  const named = Object.hasOwn(NAMED, word) ? NAMED[word] : undefined;
  if (named !== undefined) return named;
  // JSON, and so the journal, has no number beyond all.
  return NUMBER.test(word) && Number.isFinite(Number(word)) ? Number(word) : word.slice(0, MAX_TEXT);
}

function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g, (all, code: string) => {
    if (code.length === 1) return ESCAPES[code] ?? code;
    const point = Number.parseInt(code.slice(1), 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
}
