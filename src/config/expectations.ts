/** The list `expect` of a recipe: values that files on the host must hold before a start. */

import { holdsToken } from '../token-shapes.ts';
import type { Expectation } from './config.ts';
import type { Tree } from './document.ts';
import { field, readFields } from './fields.ts';
import { toJson } from './json-argument.ts';
import { parseJsonPath } from './json-path.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { ExpectationKeys } from './schema.ts';

const MOST = 100;

/** Empty without the key. Values are JSON as a map in argv has them: quotes make strings, what could mean two things is a mistake. */
export function readExpectations(tree: Tree | null, path: Path, mistakes: Mistakes): readonly Expectation[] {
  if (tree === null) return [];
  if (tree.kind !== 'list' || tree.items.length === 0) {
    const expected = `a list of values that files on the host must hold, at most ${MOST}`;
    mistakes.addExpected(path, `${expected}; write - file: …, path: … and value: …, or leave the key out`);
    return [];
  }
  if (tree.items.length > MOST) {
    const expected = `expected at most ${MOST}; a list or a map as value stands for several`;
    mistakes.add(path, `found ${tree.items.length} values, ${expected}`);
  }
  return tree.items.flatMap((item, index) => readExpectation(item, [...path, index], mistakes));
}

function readExpectation(tree: Tree, path: Path, mistakes: Mistakes): readonly Expectation[] {
  const fields = readFields(ExpectationKeys, { tree, path, mistakes });
  if (tree.kind !== 'map') return [];
  const value = readValue(field(tree, 'value'), [...path, 'value'], mistakes);
  if (fields.file === undefined || fields.path === undefined || value === null) return [];
  const steps = parseJsonPath(fields.path);
  if (steps === null) {
    const expected = 'expected keys with dots between them and indexes in brackets';
    const advice = 'write dflash_config.target_layer_ids or "layer_types[4]"; a key with a dot in it stands in quotes';
    mistakes.add([...path, 'path'], `found ${showText(fields.path)}, ${expected}; ${advice}`);
    return [];
  }
  return [{ file: fields.file, path: steps, value }];
}

function readValue(tree: Tree | null, path: Path, mistakes: Mistakes): string | null {
  if (tree === null) {
    mistakes.addExpected(path, 'the value that must stand there; write value: [1, 16, 31], value: 2048 or value: null');
    return null;
  }
  const value = toJson(tree, path, mistakes);
  if (!holdsToken(value)) return value;
  mistakes.add(path, 'found what looks like a token, expected a value without secrets; remove it');
  return null;
}
