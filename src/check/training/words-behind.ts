/** Flags that take several words: `--target-layer-ids 2 18 33`, `--served-model-name a b`. */

import { lastFlag } from '../../config/flags.ts';

/** Up to the next flag; of `--flag=a` that one alone. null without it, or where none stands behind it. */
export function wordsBehind(argv: readonly string[], flag: `--${string}`): readonly string[] | null {
  const { value = null, index = 0 } = lastFlag(argv, flag) ?? {};
  if (value === null || value.startsWith('-')) return null;
  if (argv[index] !== value) return [value];
  const end = argv.findIndex((word, at) => at > index && word.startsWith('-'));
  return argv.slice(index, end === -1 ? argv.length : end);
}

/** null without it, or where other words stand there. */
export function numbersBehind(argv: readonly string[], flag: `--${string}`): readonly number[] | null {
  const words = wordsBehind(argv, flag) ?? [];
  return words.length > 0 && words.every((word) => /^\d{1,6}$/.test(word)) ? words.map(Number) : null;
}
