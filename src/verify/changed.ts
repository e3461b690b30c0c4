/** In which flags a command differs from that of the run that reached the record. */

import { code, some } from '../check/words.ts';
import type { Kept } from './verification.ts';

const MOST = 4;

/** One sentence, or none where the commands are alike. */
export function changesIn({ run, argv: before }: Kept<unknown>, argv: readonly string[]): readonly string[] {
  const [was, is] = [flagsOf(before), flagsOf(argv)];
  const changed = [...is].flatMap(([flag, value]) => {
    if (was.get(flag) === value) return [];
    const now = code(value === '' ? flag : `${flag} ${value}`);
    const then = was.get(flag);
    return [
      then === undefined ? `${now} is new` : `${now} was ${then === '' ? 'without a value' : shownValue(flag, then)}`,
    ];
  });
  const gone = [...was.keys()].filter((flag) => !is.has(flag)).map((flag) => `${code(flag)} is gone`);
  const all = [...changed, ...gone];
  return all.length === 0 ? [] : [`Its command differs from that of ${run}: ${some(all, MOST)}.`];
}

/** As it may be shown behind its flag: that is what tells a secret. */
function shownValue(flag: string, value: string): string {
  const start = `\`${flag} `;
  const both = code(`${flag} ${value}`);
  return both.startsWith(start) ? `\`${both.slice(start.length)}` : both;
}

/** Values by flag, dashes and underscores alike; the words before the first flag are `command`. */
function flagsOf(argv: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  let flag = 'the command';
  for (const word of argv) {
    if (!/^--?[A-Za-z]/.test(word)) {
      const known = flags.get(flag) ?? '';
      flags.set(flag, known === '' ? word : `${known} ${word}`);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    flag = name.startsWith('--') ? name.replaceAll('_', '-') : name;
    flags.set(flag, equals === -1 ? '' : word.slice(equals + 1));
  }
  return flags;
}
