/** What is wrong with one file of weights, told by its name, size and header. */

import type { Weight } from '../host/preflight.ts';

export interface Damage {
  readonly kind: 'link' | 'pointer' | 'page' | 'empty' | 'unreadable' | 'no_header' | 'short' | 'long';
  /** Bytes that its header says; null where it has none. */
  readonly wanted: number | null;
}

/** null for a file that is as its header says (safetensors: 8 + header + the last data offset). */
export function damageOf({ name, size: bytes, first, headerLength, header }: Weight): Damage | null {
  const bare = (kind: Damage['kind']): Damage => ({ kind, wanted: null });
  if (bytes === null) return bare('link');
  if (bytes === 0) return bare('empty');
  if (first.startsWith('version https://git-lfs')) return bare('pointer');
  if (/^\s{0,40}<(?:!doctype|html|\?xml)/i.test(first)) return bare('page');
  if (!name.endsWith('.safetensors')) return null;
  if (first === '') return bare('unreadable');
  if (headerLength === null || first[8] !== '{') return bare('no_header');
  const end = lastOffset(header);
  const wanted = 8 + headerLength + (end ?? 0);
  if (bytes < wanted) return { kind: 'short', wanted };
  // Of a long header only its tail is there: what it says is the least.
  const isAll = header.length >= headerLength && end !== null;
  return isAll && bytes > wanted ? { kind: 'long', wanted } : null;
}

/** null where no tensor stands in what is there of the header. */
function lastOffset(header: string): number | null {
  let last: number | null = null;
  for (const { groups } of header.matchAll(OFFSETS)) last = Math.max(last ?? 0, Number(groups?.end));
  return last;
}

const OFFSETS = /"data_offsets"\s{0,4}:\s{0,4}\[\s{0,4}\d{1,15}\s{0,4},\s{0,4}(?<end>\d{1,15})\s{0,4}\]/g;

/** `has` is its size in words. */
export const DAMAGE: Readonly<Record<Damage['kind'], (has: string) => string>> = {
  link: () => 'is a link that leads nowhere',
  pointer: (has) => `is a Git LFS pointer of ${has}, not the file itself`,
  page: (has) => `is a web page of ${has}, not weights`,
  empty: () => 'is empty',
  unreadable: () => "can't be read by this SSH user",
  no_header: (has) => `has no safetensors header (${has})`,
  short: (has) => `is cut off at ${has}`,
  long: (has) => `has ${has}, more than its header says`,
};
