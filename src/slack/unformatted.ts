/** The words of a text without the marks that make them bold, italic or struck through in Slack: `*kpro5*`, `_launch kpro5_`. */

/** So many formats lie around one word at most. */
const DEPTH = 3;

/** A mark goes where a word begins and ends with it, or where one begins and a later one ends with it; a mark alone stays (`*.log`, `~/logs`). */
export function unformatted(text: string): string {
  let words = text.split(' ');
  for (let depth = 0; depth < DEPTH; depth++) {
    words = words.map(bared);
    for (const mark of ['*', '_']) words = unspanned(mark, words);
  }
  return words.map(bared).join(' ');
}

function bared(word: string): string {
  let bare = word;
  for (let depth = 0; depth < DEPTH && isWrapped(bare); depth++) bare = bare.slice(1, -1);
  return bare;
}

function isWrapped(word: string): boolean {
  return word.length > 2 && /^[*_~]/.test(word) && word.endsWith(word.charAt(0));
}

function unspanned(mark: string, words: readonly string[]): string[] {
  const bare = [...words];
  let opened: number | null = null;
  words.forEach((word, index) => {
    if (word.length < 2) return;
    if (word.startsWith(mark)) opened = index;
    else if (word.endsWith(mark) && opened !== null) {
      bare[opened] = (bare[opened] ?? '').slice(1);
      bare[index] = word.slice(0, -1);
      opened = null;
    }
  });
  return bare;
}
