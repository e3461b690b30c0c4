/** `a`, `a and b`, `a, b and c`. */
export function list(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** The one that there is; null of none and of several. */
export function onlyOne(words: readonly string[]): string | null {
  return words.length === 1 ? (words[0] ?? null) : null;
}
