/** A command of a script as plain words: those that only the shell knows are left out, with the flag that they belong to. */

import { CHOOSES_CACHE } from '../caches.ts';
import type { ShellCommand } from './bash/runner.ts';
import type { Value } from './bash/value.ts';

export interface Settled {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly unread: readonly Unread[];
}

export interface Unread {
  /** A flag, a variable, or the word itself where it belongs to none. */
  readonly name: string;
  /** As the script writes it. */
  readonly source: string;
  /** The piece of it that only the shell knows. */
  readonly why: string;
}

export function settle({ words, environment }: Pick<ShellCommand, 'words' | 'environment'>): Settled {
  const argv: string[] = [];
  const unread: Unread[] = [];
  for (const [index, word] of words.entries()) {
    if (word.unknown === null) {
      argv.push(word.text);
      continue;
    }
    const flag = flagOf(word, words[index - 1]);
    if (flag !== null && flag === argv.at(-1)) argv.pop();
    unread.push({ name: flag ?? word.text, source: word.text, why: word.unknown });
  }
  const settled: Record<string, string> = {};
  for (const [name, value] of environment) {
    if (value.unknown === null) settled[name] = value.text;
    else if (LOOKED_AT.includes(name)) unread.push({ name, source: value.text, why: value.unknown });
  }
  return { argv, environment: settled, unread };
}

/** Variables that checks look at. */
const LOOKED_AT: readonly string[] = ['CUDA_VISIBLE_DEVICES', ...CHOOSES_CACHE];

function flagOf(word: Value, before: Value | undefined): string | null {
  if (before?.unknown === null && /^serve$|(?:^|\/)launch_vllm\.py$/.test(before.text)) return '--model';
  const own = /^(?<flag>--?[A-Za-z][\w.-]{0,99})=/.exec(word.text)?.groups?.flag;
  if (own !== undefined) return own;
  return before?.unknown === null && /^--?[A-Za-z][\w.-]{0,99}$/.test(before.text) ? before.text : null;
}
