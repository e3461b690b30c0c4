/** A handful of characters that stand for all: two that no part of a pattern tells apart are one. */

/** ASCII, and what classes treat in ways of their own: blanks, line ends, letters and marks beyond it. */
const SAMPLES = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'\u00a0\u0130\u017f\u212a\u2028\u2029\ufeff\u00e9\u4f60\u0301\u0085\ud800',
];

export class Alphabet {
  readonly #flags: string;
  readonly #samples: readonly string[];
  readonly #members = new Map<string, readonly boolean[]>();
  #letters: readonly string[] = [];

  constructor(source: string, flags: string) {
    this.#flags = flags.replace(/[gyd]/g, '');
    this.#samples = [...new Set([...SAMPLES, ...[...source].filter((char) => char > '\x7f')])];
  }

  /** A class, an escape or a character as it stands in the pattern. Called for all of them before `letters` is. */
  add(raw: string): void {
    if (this.#members.has(raw)) return;
    const pattern = new RegExp(`^(?:${raw})$`, this.#flags.replace('m', ''));
    this.#members.set(
      raw,
      this.#samples.map((char) => pattern.test(char)),
    );
  }

  /** One character of each kind. */
  letters(): readonly string[] {
    if (this.#letters.length > 0) return this.#letters;
    const kinds = new Map<string, string>();
    for (const [index, char] of this.#samples.entries()) {
      const kind = [...this.#members.values()].map((members) => (members[index] === true ? '1' : '0')).join('');
      if (!kinds.has(kind)) kinds.set(kind, char);
    }
    this.#letters = [...kinds.values()];
    return this.#letters;
  }

  /** By letter: whether it is one of them. */
  of(raw: string): readonly boolean[] {
    const members = this.#members.get(raw) ?? [];
    return this.letters().map((letter) => members[this.#samples.indexOf(letter)] === true);
  }
}
