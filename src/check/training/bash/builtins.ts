/** Commands of the shell itself that change what it knows. */

import type { Scope } from './scope.ts';
import { resolvePath } from './substitute.ts';
import { known, unknown, type Value } from './value.ts';

/** False for a command that isn't one of them. */
export function runBuiltin([program, ...words]: readonly Value[], scope: Scope): boolean {
  const builtin = Object.hasOwn(BUILTINS, program?.text ?? '') ? BUILTINS[program?.text ?? ''] : undefined;
  builtin?.(words, scope);
  return builtin !== undefined;
}

const BUILTINS: Readonly<Record<string, (words: readonly Value[], scope: Scope) => void>> = {
  cd: changeFolder,
  pushd: changeFolder,
  popd: (_, scope) => {
    scope.folder = unknown('$PWD');
  },
  unset: (words, scope) => {
    for (const { text } of words) if (!text.startsWith('-')) scope.set(text, null);
  },
  read: forget,
  mapfile: forget,
  readarray: forget,
  getopts: forget,
  printf: (words, scope) => {
    if (words[0]?.text === '-v') forget(words.slice(1, 2), scope);
  },
  shift: (words, scope) => {
    const count = Number(words[0]?.text ?? 1);
    scope.positional = scope.positional?.slice(Number.isSafeInteger(count) ? count : 1) ?? null;
  },
  set: (words, scope) => {
    const at = words.findIndex(({ text }) => text === '--');
    if (at !== -1) scope.positional = words.slice(at + 1);
  },
};

function changeFolder(words: readonly Value[], scope: Scope): void {
  const to = words.find(({ text }) => !text.startsWith('-')) ?? known('~');
  const from = scope.folder;
  const isKnown = to.unknown === null && (from.unknown === null || /^[/~]/.test(to.text));
  scope.folder = isKnown ? known(resolvePath(from.text, to.text)) : unknown('$PWD');
}

function forget(words: readonly Value[], scope: Scope): void {
  for (const { text } of words) if (/^[A-Za-z_]\w*$/.test(text)) scope.set(text, [unknown(`$${text}`)]);
}
