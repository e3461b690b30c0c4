/** Text for a terminal. */

/** As wide as a terminal of old, and a little: what is quoted is often wider. */
const WIDTH = 96;

/** Longer words are cut: addresses and paths stay whole, so that they can be copied. */
const LONGEST_WORD = 240;

/** Lines of at most WIDTH characters, each behind `indent`; what a line goes on with stands two columns deeper than its own indent. */
export function wrap(text: string, indent: string): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line.trimEnd(), indent));
}

function wrapLine(text: string, indent: string): string[] {
  const own = /^ {0,24}/.exec(text)?.[0] ?? '';
  const deeper = own === '' ? '' : `${own}  `;
  const lines: string[] = [];
  let line = own;
  for (const word of words(text)) {
    const isFull = indent.length + line.length + word.length > WIDTH && line.trim() !== '';
    if (isFull) lines.push(line.trimEnd());
    line = isFull ? deeper + word.trimStart() : line + word;
  }
  return [...lines, line.trimEnd()].map((each) => (indent + each).trimEnd());
}

/** Each with the blanks before it. */
function words(text: string): string[] {
  return text
    .trimStart()
    .split(/(?<=\S)(?=\s)/)
    .flatMap((word) =>
      word.length <= LONGEST_WORD ? [word] : (word.match(new RegExp(`.{1,${WIDTH / 2}}`, 'gsu')) ?? []),
    );
}

/** Titles and texts in two columns; what a text goes on with stands under its beginning. */
export function pairs(rows: readonly (readonly [string, string])[], indent: string): string[] {
  const width = rows.reduce((widest, [title]) => Math.max(widest, title.length), 0);
  const under = ' '.repeat(indent.length + width + 2);
  return rows.flatMap(([title, text]) => {
    const [first = '', ...rest] = wrap(text, under);
    return [`${indent}${title.padEnd(width)}  ${first.slice(under.length)}`.trimEnd(), ...rest];
  });
}

/** Rows with their columns under each other. */
export function columns(rows: readonly (readonly string[])[], indent: string): string[] {
  const widths = rows.reduce<number[]>((known, row) => {
    for (const [index, cell] of row.entries()) known[index] = Math.max(known[index] ?? 0, cell.length);
    return known;
  }, []);
  return rows.map((row) =>
    `${indent}${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd(),
  );
}
