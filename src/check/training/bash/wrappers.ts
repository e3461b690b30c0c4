/** What stands before the command that does the work: `env A=b`, `nohup`, `timeout 60`, `uv run`. */

import { baseName } from '../../../config/base-name.ts';
import { WRAPPERS } from '../../../config/detach.ts';
import type { Value } from './value.ts';

export interface Peeled {
  readonly words: readonly Value[];
  /** What `env` sets for it. */
  readonly assignments: readonly (readonly [string, Value])[];
}

/** In a script these detach as well, which is no mistake there. */
const DETACHING: Readonly<Record<string, (typeof WRAPPERS)[string]>> = {
  nohup: { valued: [], words: 0 },
  setsid: { valued: [], words: 0 },
  builtin: { valued: [], words: 0 },
};

export function peel(words: readonly Value[]): Peeled {
  const assignments: (readonly [string, Value])[] = [];
  let left = words;
  for (;;) {
    const program = baseName(left[0]?.text ?? '');
    const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : DETACHING[program];
    if (wrapper === undefined) return { words: left, assignments };
    const behind = commandAt(left, wrapper, assignments);
    if (behind >= left.length) return { words: left, assignments };
    left = left.slice(behind);
  }
}

function commandAt(
  words: readonly Value[],
  { valued, words: own }: (typeof WRAPPERS)[string] & object,
  assignments: (readonly [string, Value])[],
): number {
  let index = 1;
  let passed = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    const { name, value = '' } = /^(?<name>[A-Za-z_]\w{0,99})=(?<value>.*)$/s.exec(word.text)?.groups ?? {};
    if (word.text.startsWith('-')) index += valued.includes(word.text) ? 2 : 1;
    else if (name !== undefined) {
      assignments.push([name, { ...word, text: value }]);
      index += 1;
    } else if (passed < own) {
      passed += 1;
      index += 1;
    } else return index;
  }
  return index;
}
