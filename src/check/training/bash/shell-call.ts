/** `bash script.sh a b`, `bash -c 'text' name a b`: what a shell is told to run. */

import { baseName } from '../../../config/base-name.ts';
import { SHELLS } from '../../../config/detach.ts';
import type { Value } from './value.ts';

export interface ShellCall {
  /** Of `-c`; null where a file is run. */
  readonly text: string | null;
  /** The file, or the name behind `-c`'s text. */
  readonly script: Value | null;
  readonly words: readonly Value[];
}

/** Options whose value is the next word. */
const VALUED = /^(?:[-+][A-Za-z]{0,9}[oO]|--rcfile|--init-file)$/;

/** null for what is no call of a shell with a script. */
export function readShellCall(words: readonly Value[]): ShellCall | null {
  if (!SHELLS.has(baseName(words[0]?.text ?? ''))) return null;
  let index = 1;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined || !/^[-+]./.test(word.text)) break;
    if (word.text === '--') {
      index += 1;
      break;
    }
    if (/^-[A-Za-z]{0,9}c$/.test(word.text)) {
      const [text, script = null, ...rest] = words.slice(index + 1);
      return text === undefined ? null : { text: text.text, script, words: rest };
    }
    index += VALUED.test(word.text) ? 2 : 1;
  }
  const [script, ...rest] = words.slice(index);
  return script === undefined ? null : { text: null, script, words: rest };
}

/** Without a first line that names a program it is the shell's. */
export function isShellText(text: string): boolean {
  const first = text.slice(0, 200).split('\n', 1)[0] ?? '';
  if (!first.startsWith('#!')) return !text.includes('\0');
  return first
    .slice(2)
    .split(/\s+/)
    .some((word) => SHELLS.has(baseName(word)));
}
