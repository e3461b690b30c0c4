/** The few `$(…)` whose output is known before the script runs: where it stands, and parts of paths. */

import { posix } from 'node:path';
import { expandWord } from './expand.ts';
import type { Scope } from './scope.ts';
import { tokenize } from './tokenize.ts';
import { textsOf } from './value.ts';

const LONGEST = 500;
const DEEPEST = 4;

/** null where only the shell knows it. */
export function substitute(script: string, scope: Scope, depth = 0): string | null {
  if (script.length > LONGEST || depth > DEEPEST) return null;
  const commands = wordsOf(script, scope, depth);
  const [first, second, ...more] = commands ?? [];
  if (first === undefined || more.length > 0 || scope.folder.unknown !== null) return null;
  const folder = scope.folder.text;
  if (second === undefined) return outputOf(first, folder);
  const [name, to] = first;
  return name === 'cd' && to !== undefined && second.join(' ') === 'pwd' ? resolvePath(folder, to) : null;
}

/** From `/` or `~/` on where that is known, else from the launch's working folder on. */
export function resolvePath(folder: string, path: string): string {
  if (path.startsWith('/') || path === '~' || path.startsWith('~/')) return posix.normalize(path);
  return posix.join(folder, path);
}

function outputOf([name, ...words]: readonly string[], folder: string): string | null {
  const paths = words.filter((word) => !word.startsWith('-'));
  const [path, suffix] = paths;
  if (name === 'pwd') return folder;
  if (name === 'echo') return words.join(' ');
  if (path === undefined) return null;
  if (name === 'dirname') return posix.dirname(path);
  if (name === 'basename') return posix.basename(path, suffix);
  if (name === 'realpath' || (name === 'readlink' && words.includes('-f'))) return resolvePath(folder, path);
  return null;
}

/** Simple commands one after the other; null where there is anything else, or a word that isn't known. */
function wordsOf(script: string, scope: Scope, depth: number): readonly (readonly string[])[] | null {
  const commands: string[][] = [[]];
  for (const token of tokenize(script)) {
    if (token.kind === 'operator' && /^(?:&&|;|\n)$/.test(token.text)) {
      commands.push([]);
      continue;
    }
    if (token.kind !== 'word') return null;
    const words = textsOf(expandWord(token.parts, scope, (inner) => substitute(inner, scope, depth + 1)));
    if (words === null) return null;
    commands.at(-1)?.push(...words);
  }
  return commands.filter((words) => words.length > 0);
}
