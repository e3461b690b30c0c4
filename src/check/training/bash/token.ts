/** What a bash script is made of, before anything in it is expanded. */

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | Variable
  /** `$(…)` and back quotes. */
  | { readonly kind: 'command'; readonly script: string; readonly source: string; readonly isQuoted: boolean }
  /** What isn't expanded here: arithmetic, `${x%y}`, `<(…)`. */
  | { readonly kind: 'unknown'; readonly source: string; readonly isQuoted: boolean };

export interface Variable {
  readonly kind: 'variable';
  /** A name, `1`, `@`, `*`, `#`, `$`, `!`, `?`, `0` or `-`. */
  readonly name: string;
  /** Of an array: all of it, one element, or none given. */
  readonly index: 'all' | number | null;
  readonly operator: Operator | null;
  /** Behind the operator. */
  readonly fallback: readonly Part[];
  readonly source: string;
  readonly isQuoted: boolean;
}

/** `##*\/` and `%/*` are a path's last name and its folder; of the others, those with a colon take an empty value for none. */
export type Operator = ':-' | '-' | ':=' | '=' | ':+' | '+' | ':?' | '?' | '##*/' | '%/*';

export type Token =
  | { readonly kind: 'word'; readonly parts: readonly Part[]; readonly source: string }
  /** `NAME=(…)`, `NAME+=(…)`. */
  | {
      readonly kind: 'array';
      readonly name: string;
      readonly isAppended: boolean;
      readonly words: readonly (readonly Part[])[];
    }
  | { readonly kind: 'operator'; readonly text: string }
  /** `((…))`: the names that it sets. */
  | { readonly kind: 'arithmetic'; readonly names: readonly string[] };

/** A word without quotes and expansions, as keywords and names are; null for any other. */
export function bareText(token: Token | undefined): string | null {
  if (token?.kind !== 'word' || token.parts.length !== 1) return null;
  const [part] = token.parts;
  return part?.kind === 'text' && !part.isQuoted ? part.text : null;
}
