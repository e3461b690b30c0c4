/** Numbers in argv as vllm takes them (utils/argparse_utils.py): `32768`, `32k` = 32,000, `32K` = 32,768, `25.6k`. */

import { lastFlag } from '../config/flags.ts';

/** null without the flag, and for what is no number (`auto`, -1). */
export function wholeFlag(argv: readonly string[], ...names: readonly [string, ...string[]]): number | null {
  const { amount, unit } =
    /^(?<amount>\d{1,12}(?:\.\d{1,6})?)(?<unit>[kKmMgGtT]?)$/.exec(lastFlag(argv, ...names)?.value ?? '')?.groups ?? {};
  if (amount === undefined) return null;
  const power = 'kmgt'.indexOf((unit ?? '').toLowerCase()) + 1;
  const base = unit === unit?.toLowerCase() ? 1000 : 1024;
  return Math.floor(Number(amount) * (unit === '' ? 1 : base ** power));
}

/** `--flag` or `--no-flag`, whichever comes last; null without either. */
export function switchFlag(argv: readonly string[], name: string): boolean | null {
  const on = lastFlag(argv, `--${name}`);
  const off = lastFlag(argv, `--no-${name}`);
  if (on === null && off === null) return null;
  if (on !== null && (off === null || on.index > off.index)) return !/^(?:false|0)$/i.test(on.value ?? '');
  return false;
}
