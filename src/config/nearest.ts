/** Which known word was meant? */

/** The known word at most two typos (a third of the word at most) away from `word`, or null. A swap of two neighbours is one typo. */
export function nearest(word: string, known: readonly string[]): string | null {
  const limit = Math.min(2, Math.ceil(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, typos: countTypos(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ typos }) => typos <= limit)
    .sort((a, b) => a.typos - b.typos);
  return ranked[0]?.candidate ?? null;
}

/** Optimal string alignment distance. */
function countTypos(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
}
