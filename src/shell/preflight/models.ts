/** Model folders that a launch reads. */

import type { ModelLook } from '../../host/preflight.ts';
import { line, type Script } from '../script.ts';
import { groupsOf, readFields } from './fields.ts';
import { MODEL, readModel } from './model-folder.ts';
import { placed } from './place.ts';

export function renderModels(models: readonly string[], directory: string | null): Script {
  const input = [models.length, ...models.map((path) => placed(path, directory))].map(line).join('');
  return { name: 'models', text: MODELS, input };
}

/** By the paths as they were asked for; null when the answer isn't whole. */
export function parseModels(output: string, models: readonly string[]): ReadonlyMap<string, ModelLook> | null {
  const fields = readFields(output);
  if (fields === null) return null;
  const looks = [...groupsOf(fields, 'model')].flatMap(([index, group]): [string, ModelLook][] => {
    const [asked, look] = [models[index], readModel(group)];
    return asked === undefined || look === null ? [] : [[asked, look]];
  });
  return new Map(looks);
}

const MODELS = `
LC_ALL=C
${MODEL}
vigil_word; vigil_count=$vigil_w vigil_i=0
vigil_budget_for "$vigil_count"
while [ $vigil_i -lt $vigil_count ]; do
  vigil_path
  vigil_say model $vigil_i
  vigil_model "$vigil_w" $vigil_share
  vigil_i=$((vigil_i + 1))
done
vigil_say told
`;
