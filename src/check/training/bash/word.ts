/** One word of a bash script: quotes taken off, expansions as parts. */

import { takeBraces, takeCommand } from './balance.ts';
import type { Cursor } from './cursor.ts';
import type { Operator, Part, Variable } from './token.ts';

/** What ends a word where no quotes hold it. */
const PLAIN = /[^\s\\'"$`;&|()<>]+/y;
/** The same inside of `${x:-…}`, which blanks and operators don't end. */
const PLAIN_IN_BRACES = /[^\\'"$`}]+/y;
const PLAIN_IN_QUOTES = /[^\\"$`]+/y;

/** The parts of the word that begins here; none where there is no word. */
export function readWord(cursor: Cursor): readonly Part[] {
  return readParts(cursor, { plain: PLAIN, isQuoted: false, end: null });
}

interface Inside {
  readonly plain: RegExp;
  readonly isQuoted: boolean;
  /** Taken as well; null: whatever is no word any more. */
  readonly end: '"' | '}' | null;
}

function readParts(cursor: Cursor, inside: Inside, depth = 0): readonly Part[] {
  const parts: Part[] = [];
  const { isQuoted } = inside;
  const push = (text: string, quoted: boolean): void => {
    parts.push({ kind: 'text', text, isQuoted: quoted });
  };
  while (!cursor.isAtEnd) {
    if (inside.end !== null && cursor.skip(inside.end)) return parts;
    const plain = cursor.take(inside.plain);
    if (plain !== null) push(plain, isQuoted);
    else if (cursor.skip('\\')) readEscaped(cursor, inside, push);
    else if (inside.end !== '"' && cursor.skip("'")) push(cursor.until("'"), true);
    else if (cursor.skip('"')) parts.push(...readDouble(cursor, depth));
    else if (cursor.peek() === '`') parts.push(readBackQuotes(cursor, isQuoted));
    else if (cursor.peek() === '$') parts.push(...readDollar(cursor, { isQuoted, depth }));
    else if (/^[<>]\($/.test(cursor.peek() + cursor.peek(1))) parts.push(readProcess(cursor));
    else if (inside.end === null) return parts;
    else {
      push(cursor.peek(), isQuoted);
      cursor.at += 1;
    }
  }
  return parts;
}

function readEscaped(cursor: Cursor, inside: Inside, push: (text: string, quoted: boolean) => void): void {
  const next = cursor.peek();
  cursor.at += 1;
  if (next === '\n') return;
  const isKept = inside.isQuoted && !/^[$`"\\]$/.test(next);
  push(isKept ? `\\${next}` : next, true);
}

/** Behind the first quote. An empty text stays, since `""` is a word. */
function readDouble(cursor: Cursor, depth: number): readonly Part[] {
  const parts = readParts(cursor, { plain: PLAIN_IN_QUOTES, isQuoted: true, end: '"' }, depth);
  return parts.length > 0 ? parts : [{ kind: 'text', text: '', isQuoted: true }];
}

function readBackQuotes(cursor: Cursor, isQuoted: boolean): Part {
  cursor.at += 1;
  const script = cursor.until('`');
  return { kind: 'command', script, source: `\`${script}\``, isQuoted };
}

function readProcess(cursor: Cursor): Part {
  const from = cursor.at;
  cursor.at += 2;
  takeCommand(cursor);
  return { kind: 'unknown', source: cursor.text.slice(from, cursor.at), isQuoted: true };
}

interface Where {
  readonly isQuoted: boolean;
  readonly depth: number;
}

const NAME = /[A-Za-z_]\w{0,99}|[\d@*#?$!-]/y;

function readDollar(cursor: Cursor, where: Where): readonly Part[] {
  const from = cursor.at;
  const { isQuoted } = where;
  cursor.at += 1;
  const source = (): string => cursor.text.slice(from, cursor.at);
  if (cursor.skip('((')) {
    takeCommand(cursor);
    cursor.skip(')');
    return [{ kind: 'unknown', source: source(), isQuoted }];
  }
  if (cursor.skip('(')) {
    const script = takeCommand(cursor);
    return [{ kind: 'command', script, source: source(), isQuoted }];
  }
  if (cursor.skip('{')) return [readBraces(cursor, from, where)];
  if (!isQuoted && cursor.peek() === "'") return [readAnsi(cursor)];
  if (!isQuoted && cursor.skip('"')) return readDouble(cursor, where.depth);
  const name = cursor.take(NAME);
  if (name === null) return [{ kind: 'text', text: '$', isQuoted }];
  return [{ kind: 'variable', name, index: null, operator: null, fallback: [], source: source(), isQuoted }];
}

const DEEPEST = 10;
const BRACED = /(?:[A-Za-z_]\w{0,99}|\d{1,3}|[@*#?$!-])(?:\[(?:[@*]|\d{1,4})\])?(?=[}:=+?-]|##\*\/\}|%\/\*\})/y;
const OPERATOR = /:[-=+?]|[-=+?]|##\*\/|%\/\*/y;

/** Behind `${`. What is none of the forms that token.ts names is unknown. */
function readBraces(cursor: Cursor, from: number, { isQuoted, depth }: Where): Part {
  const inside = cursor.at;
  const subject = /^[#!][\w@*]/.test(cursor.peek() + cursor.peek(1)) ? null : cursor.take(BRACED);
  const operator = subject === null || cursor.peek() === '}' ? null : cursor.take(OPERATOR);
  if (subject === null || depth > DEEPEST || (operator === null && cursor.peek() !== '}')) {
    cursor.at = inside;
    takeBraces(cursor);
    return { kind: 'unknown', source: cursor.text.slice(from, cursor.at), isQuoted };
  }
  const fallback = readParts(cursor, { plain: PLAIN_IN_BRACES, isQuoted, end: '}' }, depth + 1);
  const source = cursor.text.slice(from, cursor.at);
  return { ...named(subject), operator: operator as Operator | null, fallback, source, isQuoted };
}

function named(subject: string): Pick<Variable, 'kind' | 'name' | 'index'> {
  const { name = subject, index } = /^(?<name>[^[]{1,100})\[(?<index>[^\]]{1,9})\]$/.exec(subject)?.groups ?? {};
  if (index === undefined) return { kind: 'variable', name, index: null };
  return { kind: 'variable', name, index: /^\d/.test(index) ? Number(index) : 'all' };
}

/** `$'…'`; of its escapes only those that scripts use. */
function readAnsi(cursor: Cursor): Part {
  cursor.at += 1;
  let text = '';
  while (!cursor.isAtEnd && !cursor.skip("'")) {
    const character = cursor.peek();
    cursor.at += 1;
    if (character !== '\\') text += character;
    else {
      text += ANSI[cursor.peek()] ?? `\\${cursor.peek()}`;
      cursor.at += 1;
    }
  }
  return { kind: 'text', text, isQuoted: true };
}

const ANSI: Readonly<Record<string, string>> = { n: '\n', t: '\t', "'": "'", '"': '"', '\\': '\\' };
