/** What a word of a script comes to, as far as it can be known before it runs. */

export interface Value {
  /** What only the shell knows stands in it as the script writes it. */
  readonly text: string;
  /** The piece of the script that only the shell knows, or null where all is known. */
  readonly unknown: string | null;
}

/** Longer values are no words that a check looks at; a script can double one in every line. */
const LONGEST = 16_384;

export const EMPTY: Value = { text: '', unknown: null };

export function known(text: string): Value {
  return text.length > LONGEST ? unknown(`${text.slice(0, 40)}…`) : { text, unknown: null };
}

export function unknown(source: string): Value {
  const text = source.length > 200 ? `${source.slice(0, 199)}…` : source;
  return { text, unknown: text };
}

export function join(a: Value, b: Value): Value {
  const whole = known(a.text + b.text);
  return whole.unknown === null ? { text: whole.text, unknown: a.unknown ?? b.unknown } : whole;
}

export function isSame(a: Value | null, b: Value | null): boolean {
  return a === b || (a !== null && b !== null && a.text === b.text && a.unknown === b.unknown);
}

/** Only of values that are all known. */
export function textsOf(values: readonly Value[]): readonly string[] | null {
  return values.every(({ unknown: why }) => why === null) ? values.map(({ text }) => text) : null;
}
