/** Which files an index (`model.safetensors.index.json`) names. */

import { type Field, firstOf } from './fields.ts';

/** Distinct names; null where there is no index, 'broken' where it is no JSON. Of one that is too long to be sent the host has picked the names. */
export function readIndex(fields: readonly Field[]): readonly string[] | null | 'broken' {
  const names = firstOf(fields, 'index-names');
  if (names !== null) {
    if (!/\}\}$/.test(firstOf(fields, 'index-end') ?? '')) return 'broken';
    return names.split('\n').filter((name) => /\.(?:safetensors|bin)$/.test(name));
  }
  const text = firstOf(fields, 'index');
  return text === null ? null : namesIn(text);
}

function namesIn(text: string): readonly string[] | 'broken' {
  try {
    const index: unknown = JSON.parse(text);
    const map = typeof index === 'object' && index !== null && 'weight_map' in index ? index.weight_map : null;
    if (typeof map !== 'object' || map === null) return 'broken';
    return [...new Set(Object.values(map).filter((name) => typeof name === 'string'))].sort();
  } catch {
    return 'broken';
  }
}
