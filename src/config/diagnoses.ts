/** The list `diagnoses`: a team's own rows, each checked before anybody waits for it. */

import { parseLinearPattern } from '../linear-pattern.ts';
import type { TeamRow } from './config.ts';
import type { Tree } from './document.ts';
import { readFields } from './fields.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { DiagnosisKeys } from './schema.ts';

/** Each is tried on every failure. */
const MOST_ROWS = 50;

/** Empty without the key. Patterns run in linear time, whatever they say: what can't is refused. */
export function readDiagnoses(tree: Tree | null, path: Path, mistakes: Mistakes): readonly TeamRow[] {
  if (tree?.kind !== 'list') return [];
  if (tree.items.length > MOST_ROWS) {
    const expected = `expected at most ${MOST_ROWS}; let one pattern stand for several (a|b)`;
    mistakes.add(path, `found ${tree.items.length} rows, ${expected}`);
  }
  return tree.items.flatMap((item, index) => readRow(item, [...path, index], mistakes));
}

function readRow(tree: Tree, path: Path, mistakes: Mistakes): readonly TeamRow[] {
  const {
    pattern: source,
    title,
    advice,
    category = null,
    kind = null,
  } = readFields(DiagnosisKeys, {
    ...{ tree, path, mistakes },
  });
  if (source === undefined || title === undefined || advice === undefined) return [];
  const pattern = parseLinearPattern(source);
  if ('wrong' in pattern) {
    mistakes.add([...path, 'pattern'], pattern.wrong);
    return [];
  }
  if (pattern.test('')) {
    const expected = 'expected one that fits some failures only; write a part of the error that is always the same';
    mistakes.add([...path, 'pattern'], `found ${showText(source)}, which fits every text, ${expected}`);
    return [];
  }
  return [{ pattern, title, advice: advice.trim(), category, kind }];
}
