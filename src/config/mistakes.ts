/** Collects every mistake of a file, one line each: `vigil.yaml:12:7 recipes.dflash.gpus: found "two", expected …; do …`. */

import type { z } from 'zod';
import { holdsToken } from '../token-shapes.ts';
import type { At, Fault, Tree } from './document.ts';
import { nearest } from './nearest.ts';

/** Keys and list indexes from the top of the file. */
export type Path = readonly (string | number)[];

type Issue = z.core.$ZodIssue;

export class Mistakes {
  readonly #file: string;
  readonly #root: Tree | null;
  readonly #found: { at: At; line: string }[] = [];

  constructor(file: string, root: Tree | null) {
    this.#file = file;
    this.#root = root;
  }

  /** All lines in the order of the file. */
  get lines(): readonly string[] {
    const sorted = this.#found.toSorted((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
    return [...new Set(sorted.map(({ line }) => line))];
  }

  addFault(fault: Fault): void {
    this.#found.push({ at: fault.at, line: `${this.#file}:${fault.at.line}:${fault.at.column} ${fault.text}` });
  }

  /** `text` is `found …, expected …; do …`. */
  add(path: Path, text: string): void {
    this.#push(locate(this.#root, path).at, path, text);
  }

  /** As add, about the last key of `path` itself. */
  addAboutKey(path: Path, text: string): void {
    this.#push(locate(this.#root, path).keyAt, path, text);
  }

  /** `expected` is `…; do …`; what was found is read from the file. */
  addExpected(path: Path, expected: string): void {
    this.add(path, `found ${showTree(locate(this.#root, path).tree)}, expected ${expected}`);
  }

  /** Mistakes of shape below `path`: each issue's message is its `expected …; do …`. */
  addIssues(path: Path, issues: readonly Issue[]): void {
    for (const issue of issues) this.#addIssue(path, issue);
  }

  #addIssue(path: Path, issue: Issue): void {
    const at = [...path, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) this.#addUnknownKey([...at, key], issue.message.split(', '));
      return;
    }
    // A list with one wrong item failed as a list, not as the other kinds that were possible: tell of the item.
    const inner = issue.code === 'invalid_union' ? issue.errors.find((option) => option[0]?.path.length) : undefined;
    if (inner !== undefined) {
      this.addIssues(at, inner);
      return;
    }
    this.addExpected(at, issue.message);
  }

  #addUnknownKey(path: Path, known: readonly string[]): void {
    const meant = nearest(String(path.at(-1)), known);
    const advice = meant === null ? 'remove it' : `did you mean ${meant}?`;
    this.addAboutKey(path, `found an unknown key, expected one of ${known.join(', ')}; ${advice}`);
  }

  #push(at: At, path: Path, text: string): void {
    const key = path.length === 0 ? '' : `${showPath(path)}: `;
    this.#found.push({ at, line: `${this.#file}:${at.line}:${at.column} ${key}${text}` });
  }
}

/** What was found, as people read it: quoted, cut, never a secret. */
export function showText(text: string): string {
  if (holdsToken(text)) return 'what looks like a token';
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

/** The value at `path` (null where there is none), its place (else that of the key above), and its key's place. */
function locate(root: Tree | null, path: Path): { tree: Tree | null; at: At; keyAt: At } {
  const start: At = { line: 1, column: 1 };
  let tree = root;
  let keyAt = root?.at ?? start;
  let at = keyAt;
  for (const step of path) {
    const next = child(tree, step);
    if (next === null) return { tree: null, at: keyAt, keyAt };
    ({ value: tree, at: keyAt } = next);
    at = tree.at;
  }
  return { tree, at, keyAt };
}

function child(tree: Tree | null, step: string | number): { value: Tree; at: At } | null {
  if (tree?.kind === 'map') return tree.entries.find((entry) => entry.key === String(step)) ?? null;
  const item = tree?.kind === 'list' ? tree.items[Number(step)] : undefined;
  return item === undefined ? null : { value: item, at: item.at };
}

function showTree(tree: Tree | null): string {
  if (tree === null) return 'nothing';
  if (tree.kind === 'list') return tree.items.length === 0 ? 'an empty list' : 'a list';
  if (tree.kind === 'map') return tree.entries.length === 0 ? 'an empty map' : 'a map';
  return tree.text === '' && tree.isPlain ? 'nothing' : showText(tree.text);
}

function showPath(path: Path): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w.-]+$/.test(step) && !holdsToken(step) ? `.${step}` : `.${showText(step)}`;
    })
    .join('')
    .replace(/^\./, '');
}
