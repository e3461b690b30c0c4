/** What the log shows beside its phases, as people read it. */

import type { Judgement } from '../diagnosis/judgement.ts';
import { clip } from '../report/escape.ts';
import { pairs } from './wrap.ts';

/** Told by the phases already. */
const TOLD = new Set(['serve_phases', 'training_started_line']);
const LONGEST = 300;

/** `kv cache tokens  196112`, a fact a line. */
export function factLines(facts: Judgement['facts']): string[] {
  const rows = Object.entries(facts)
    .filter(([key, value]) => value !== null && !TOLD.has(key))
    .map(([key, value]): [string, string] => [
      key.replaceAll('_', ' '),
      clip(Array.isArray(value) ? value.join(', ') : String(value), LONGEST),
    ]);
  return pairs(rows, '  ');
}
