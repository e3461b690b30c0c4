/** `A=b` in a script: as a command of its own, before a command, and behind `export` and its like. */

import { expandText, expandWord } from './expand.ts';
import type { Scope } from './scope.ts';
import { substitute } from './substitute.ts';
import type { Part, Token } from './token.ts';
import { join, unknown, type Value } from './value.ts';

/** A script can double an array in every line. */
const MOST_ELEMENTS = 500;

export interface Assignment {
  readonly name: string;
  readonly values: readonly Value[];
}

/** `A=b C=d` at the beginning of a command. */
export function leadingAssignments(tokens: readonly Token[], scope: Scope): readonly Assignment[] {
  const found: Assignment[] = [];
  for (const token of tokens) {
    const assignment = readAssignment(token, scope);
    if (assignment === null) break;
    found.push(assignment);
  }
  return found;
}

/** Of a word that is one; null for any other. */
function readAssignment(token: Token, scope: Scope): Assignment | null {
  const run = (script: string): string | null => substitute(script, scope);
  if (token.kind === 'array') {
    const values = token.words.flatMap((parts) => expandWord(parts, scope, run));
    const all = token.isAppended ? [...(scope.get(token.name) ?? []), ...values] : values;
    return { name: token.name, values: all.length > MOST_ELEMENTS ? [unknown(`$${token.name}`)] : all };
  }
  if (token.kind !== 'word') return null;
  const [first, ...rest] = token.parts;
  if (first?.kind !== 'text' || first.isQuoted) return null;
  const { name, index, plus, text = '' } = ASSIGNMENT.exec(first.text)?.groups ?? {};
  if (name === undefined) return null;
  // One element set: the rest of the array is as it was, and nobody asks for it here.
  if (index !== undefined) return { name, values: [unknown(`$${name}`)] };
  const parts: readonly Part[] = [{ kind: 'text', text, isQuoted: true }, ...rest];
  const value = expandText(parts, scope, run);
  const before = plus === '' ? undefined : scope.get(name)?.[0];
  return { name, values: [before === undefined ? value : join(before, value)] };
}

const ASSIGNMENT = /^(?<name>[A-Za-z_]\w{0,99})(?<index>\[[^\]]{0,99}\])?(?<plus>\+?)=(?<text>.*)$/s;

const DECLARING: readonly string[] = ['export', 'declare', 'typeset', 'local', 'readonly'];

/** Carries out `export A=b C`; false for another command. */
export function declare(tokens: readonly Token[], program: string, scope: Scope): boolean {
  if (!DECLARING.includes(program)) return false;
  const flags = tokens.map((token) => (token.kind === 'word' ? token.source : '')).filter((text) => /^-/.test(text));
  const isExported = program === 'export' || flags.some((flag) => /^-\w{0,9}x/.test(flag));
  for (const token of tokens.slice(1)) {
    const assignment = readAssignment(token, scope);
    const name =
      assignment?.name ?? (token.kind === 'word' && /^[A-Za-z_]\w*$/.test(token.source) ? token.source : null);
    if (assignment !== null) scope.set(assignment.name, assignment.values);
    if (name !== null && isExported) scope.export(name);
  }
  return true;
}
