/** A word's parts -> the words that the command gets, as bash expands and splits them. Globs and braces stay as they are. */

import type { Scope } from './scope.ts';
import type { Part, Variable } from './token.ts';
import { EMPTY, join, known, unknown, type Value } from './value.ts';

/** What runs a `$(…)`: its output, or null where only the shell knows it. */
export type Substitute = (script: string) => string | null;

export function expandWord(parts: readonly Part[], scope: Scope, substitute: Substitute): readonly Value[] {
  const fields = new Fields();
  expandInto(fields, parts, { scope, substitute });
  return fields.end();
}

/** Without splitting: what an assignment or a quoted word gets. */
export function expandText(parts: readonly Part[], scope: Scope, substitute: Substitute): Value {
  const quoted = parts.map((part) => ({ ...part, isQuoted: true }));
  const words = expandWord(quoted, scope, substitute);
  return words.reduce((text, word, index) => join(index === 0 ? text : join(text, known(' ')), word), EMPTY);
}

interface Expanding {
  readonly scope: Scope;
  readonly substitute: Substitute;
  /** Inside of a `${x:-a b}` without quotes: blanks of the script itself end words there. */
  readonly isInBraces?: boolean;
}

function expandInto(fields: Fields, parts: readonly Part[], expanding: Expanding): void {
  for (const part of parts) {
    if (part.kind === 'text' && expanding.isInBraces && !part.isQuoted) fields.split(part.text);
    else if (part.kind === 'text') fields.add(known(part.text));
    else if (part.kind === 'unknown') fields.add(unknown(part.source));
    else if (part.kind === 'command') addCommand(fields, part, expanding);
    else addVariable(fields, part, expanding);
  }
}

function addCommand(fields: Fields, part: Part & { kind: 'command' }, { substitute }: Expanding): void {
  const output = substitute(part.script);
  if (output === null) fields.add(unknown(part.source));
  else if (part.isQuoted) fields.add(known(output));
  else fields.split(output);
}

function addVariable(fields: Fields, part: Variable, expanding: Expanding): void {
  const { scope } = expanding;
  const values = valuesOf(part, scope);
  const isSet = values !== null && values.length > 0;
  const isEmpty = isSet && values.every(({ text }) => text === '');
  const stands = part.operator?.startsWith(':') ? isSet && !isEmpty : isSet;
  switch (part.operator) {
    case ':+':
    case '+':
      if (stands) expandFallback(fields, part, expanding);
      return;
    case ':-':
    case '-':
    case ':=':
    case '=':
      if (stands) break;
      addDefault(fields, part, expanding);
      return;
    case '##*/':
    case '%/*':
      addAll(
        fields,
        part,
        (values ?? [unknown(part.source)]).map((value) => cut(value, part)),
      );
      return;
    default:
  }
  // Never set here: it may stand in the environment that the host gives.
  addAll(fields, part, values ?? [unknown(part.source)]);
}

/** Where a file that isn't read may have set it, nobody knows whether its default counts. */
function addDefault(fields: Fields, part: Variable, expanding: Expanding): void {
  const { scope, substitute } = expanding;
  if (scope.isOpen) {
    fields.add(unknown(part.source));
    return;
  }
  if (part.operator?.endsWith('=')) scope.set(part.name, [expandText(part.fallback, scope, substitute)]);
  expandFallback(fields, part, expanding);
}

function expandFallback(fields: Fields, { fallback, isQuoted }: Variable, expanding: Expanding): void {
  const parts = isQuoted ? fallback.map((inner) => ({ ...inner, isQuoted: true })) : fallback;
  expandInto(fields, parts, { ...expanding, isInBraces: !isQuoted });
}

function cut(value: Value, { operator, source }: Variable): Value {
  if (value.unknown !== null) return unknown(source);
  const slash = value.text.lastIndexOf('/');
  if (operator === '##*/') return known(value.text.slice(slash + 1));
  return known(slash === -1 ? value.text : value.text.slice(0, slash));
}

/** null: never set. */
function valuesOf({ name, index, source }: Variable, scope: Scope): readonly Value[] | null {
  if (name === '@' || name === '*') return scope.positional ?? [unknown(source)];
  if (name === '0') return [scope.script];
  if (name === '#') return [scope.positional === null ? unknown(source) : known(String(scope.positional.length))];
  if (/^\d/.test(name)) {
    if (scope.positional === null) return [unknown(source)];
    const value = scope.positional[Number(name) - 1];
    return value === undefined ? [] : [value];
  }
  if (name === 'BASH_SOURCE') return [scope.script];
  if (name === 'PWD') return [scope.folder];
  if (/^[$!?-]$/.test(name)) return [unknown(source)];
  const values = scope.get(name);
  if (values === null || index === 'all') return values;
  const value = values[index ?? 0];
  return value === undefined ? [] : [value];
}

/** `"$@"` and `"${A[@]}"` give a word for each; `"$*"` and what isn't quoted is put together and split. */
function addAll(fields: Fields, { name, index, isQuoted }: Variable, values: readonly Value[]): void {
  const isList = name === '@' || name === '*' || index === 'all';
  for (const [at, value] of values.entries()) {
    if (at > 0 && isQuoted && name === '*') fields.add(known(' '));
    else if (at > 0 && isList) fields.next();
    if (isQuoted || value.unknown !== null) fields.add(value);
    else fields.split(value.text);
  }
}

/** Words as they grow. */
class Fields {
  readonly #done: Value[] = [];
  #word: Value | null = null;

  add(value: Value): void {
    this.#word = join(this.#word ?? EMPTY, value);
  }

  /** Text without quotes: blanks in it end words. */
  split(text: string): void {
    const pieces = text.split(/[ \t\n]+/);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.next();
      if (piece !== '') this.add(known(piece));
    }
  }

  next(): void {
    if (this.#word !== null) this.#done.push(this.#word);
    this.#word = null;
  }

  end(): readonly Value[] {
    this.next();
    return this.#done;
  }
}
