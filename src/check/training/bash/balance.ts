/** Where a bracket of the shell ends, whatever quotes and brackets stand inside. */

import type { Cursor } from './cursor.ts';

/** Deeper nesting than any script has: all that is left counts as inside. */
const DEEPEST = 20;

/** Behind `$(` or `(`: takes the text up to its `)`, and that bracket too. */
export function takeCommand(cursor: Cursor): string {
  const from = cursor.at;
  skipBrackets(cursor, { open: '(', close: ')' }, 0);
  return cursor.text.slice(from, Math.max(from, cursor.at - 1));
}

/** Behind `${`: the same up to its `}`. */
export function takeBraces(cursor: Cursor): string {
  const from = cursor.at;
  skipBrackets(cursor, { open: '{', close: '}' }, 0);
  return cursor.text.slice(from, Math.max(from, cursor.at - 1));
}

interface Brackets {
  readonly open: string;
  readonly close: string;
}

function skipBrackets(cursor: Cursor, brackets: Brackets, depth: number): void {
  if (depth > DEEPEST) cursor.at = cursor.text.length;
  let open = 1;
  while (!cursor.isAtEnd) {
    const character = cursor.peek();
    cursor.at += 1;
    if (character === '\\') cursor.at += 1;
    else if (character === "'") cursor.until("'");
    else if (character === '"') skipDouble(cursor, depth);
    else if (character === brackets.open) open += 1;
    else if (character === brackets.close) open -= 1;
    if (open === 0) return;
  }
}

/** Behind the first of two double quotes: to behind the second. */
function skipDouble(cursor: Cursor, depth: number): void {
  while (!cursor.isAtEnd) {
    const character = cursor.peek();
    cursor.at += 1;
    if (character === '"') return;
    if (character === '\\') cursor.at += 1;
    else if (character === '$' && cursor.skip('(')) skipBrackets(cursor, { open: '(', close: ')' }, depth + 1);
    else if (character === '$' && cursor.skip('{')) skipBrackets(cursor, { open: '{', close: '}' }, depth + 1);
  }
}
