/** Progress bars of tqdm (`name:  38%|███▊      | 30/80 [00:01<00:01, 30.28it/s]`) and of rich (`Epoch 0 100% ━━━ 40/40  [ … ]`). */

export interface Bar {
  /** What stands before the percentage, '' for a bar without a name. */
  readonly name: string;
  readonly done: number;
  readonly total: number;
  /** Times, rate and postfix. */
  readonly rest: string;
  readonly isRich: boolean;
}

const TQDM = /^(?:(?<name>[^%|]{1,160}?):)? *\d+%\|[^|]*\| *(?<done>\d+)\/(?<total>\d+) \[(?<rest>[^\]]*)/;
const RICH = /^(?<name>\S.{0,80}?) +\d+% [━╸╺ ]*(?<done>\d+)\/(?<total>\d+) +\[(?<rest>[^\]]*)/;
const DOWNLOAD = /^\S*?\.\w+: +\d+%\|[^|]*\| *(?<done>[\d.]+)(?<unit>[kMGT]?)\/(?<total>[\d.]+)(?<of>[kMGT]?) \[/;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

export function parseBar(text: string): Bar | null {
  const isRich = text.includes('━');
  const groups = (isRich ? RICH : TQDM).exec(text)?.groups;
  if (groups === undefined) return null;
  const { name = '', done = '0', total = '0', rest = '' } = groups;
  return { name: name.trim(), done: Number(done), total: Number(total), rest, isRich };
}

/** Bytes of a file that is fetched, in tqdm's decimal units. */
export function parseDownload(text: string): { done: number; total: number } | null {
  const groups = DOWNLOAD.exec(text)?.groups;
  if (groups === undefined) return null;
  const { done = '0', unit = '', total = '0', of = '' } = groups;
  return { done: bytes(done, unit), total: bytes(total, of) };
}

function bytes(count: string, unit: string): number {
  return Math.round(Number(count) * (UNITS[unit] ?? 1));
}
