/** A bash script as words and operators: comments, redirections and heredocs are left out. */

import { takeCommand } from './balance.ts';
import { Cursor } from './cursor.ts';
import type { Part, Token } from './token.ts';
import { readWord } from './word.ts';

/** Never fails: what is no bash is read as words as well. */
export function tokenize(script: string): readonly Token[] {
  return readTokens(script.replaceAll('\r\n', '\n'), { takesArrays: true });
}

/** An array holds no arrays, so that brackets are looked through once. */
function readTokens(script: string, { takesArrays }: { readonly takesArrays: boolean }): readonly Token[] {
  const cursor = new Cursor(script);
  const tokens: Token[] = [];
  const heredocs: string[] = [];
  while (!cursor.isAtEnd) {
    if (cursor.take(BLANKS) !== null) continue;
    if (cursor.peek() === '#') {
      cursor.take(COMMENT);
      continue;
    }
    if (cursor.skip('\n')) {
      tokens.push({ kind: 'operator', text: '\n' });
      for (const end of heredocs.splice(0)) skipHeredoc(cursor, end);
      continue;
    }
    if (cursor.skip('((')) {
      tokens.push(readArithmetic(cursor));
      continue;
    }
    if (skipRedirection(cursor, heredocs)) continue;
    const operator = cursor.take(OPERATOR);
    if (operator !== null) {
      tokens.push({ kind: 'operator', text: operator });
      continue;
    }
    tokens.push((takesArrays ? readArray(cursor) : null) ?? readPlain(cursor));
  }
  return tokens;
}

const BLANKS = /(?:[^\S\n]|\\\n)+/y;
const COMMENT = /[^\n]*/y;
const OPERATOR = /;;&|;;|;&|;|&&|&|\|\||\|&|\||\(|\)/y;
const REDIRECTION = /&>>|&>|\d{0,4}(?:<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\())/y;

/** Takes a redirection and its word; a heredoc's word is kept, its text begins at the next line. */
function skipRedirection(cursor: Cursor, heredocs: string[]): boolean {
  const redirection = cursor.take(REDIRECTION);
  if (redirection === null) return false;
  cursor.take(BLANKS);
  const parts = readWord(cursor);
  if (/<<-?$/.test(redirection) && parts.length > 0) heredocs.push(parts.map(literally).join(''));
  return true;
}

function literally(part: Part): string {
  return part.kind === 'text' ? part.text : part.source;
}

/** To behind the line that is its end word alone (of `<<-` behind tabs). */
function skipHeredoc(cursor: Cursor, end: string): void {
  while (!cursor.isAtEnd) {
    if (cursor.until('\n').replace(/^\t{1,40}/, '') === end) return;
  }
}

function readArithmetic(cursor: Cursor): Token {
  const text = takeCommand(cursor);
  cursor.skip(')');
  const names = [...text.slice(0, 1000).matchAll(SETS)].map(({ groups }) => groups?.name ?? groups?.before ?? '');
  return { kind: 'arithmetic', names };
}

const SETS = /(?<name>[A-Za-z_]\w{0,99})\s{0,9}(?:\+\+|--|[-+*/%]?=(?!=))|(?:\+\+|--)(?<before>[A-Za-z_]\w{0,99})/g;

/** null, with nothing taken, where none begins. */
function readArray(cursor: Cursor): Token | null {
  const head = cursor.take(ARRAY);
  const { name, plus } = /^(?<name>\w+)(?<plus>\+?)=\($/.exec(head ?? '')?.groups ?? {};
  if (name === undefined) return null;
  const inside = readTokens(takeCommand(cursor), { takesArrays: false });
  const words = inside.flatMap((token) => (token.kind === 'word' ? [token.parts] : []));
  return { kind: 'array', name, isAppended: plus !== '', words };
}

const ARRAY = /[A-Za-z_]\w{0,99}\+?=\(/y;

function readPlain(cursor: Cursor): Token {
  const from = cursor.at;
  const parts = readWord(cursor);
  if (cursor.at > from) return { kind: 'word', parts, source: cursor.text.slice(from, cursor.at) };
  // What can't begin a word either: taken as it is, so that the reading goes on.
  cursor.at += 1;
  const text = cursor.text.slice(from, cursor.at);
  return { kind: 'word', parts: [{ kind: 'text', text, isQuoted: true }], source: text };
}
