/** Model folders that a launch reads. */

import type { ModelLook } from '../../host/preflight.ts';
import type { Script } from '../script.ts';
import { looksOf } from './fields.ts';
import { MODEL, readModel } from './model-folder.ts';
import { EACH, pathLines } from './place.ts';

export function renderModels(models: readonly string[], directory: string | null): Script {
  return { name: 'models', text: MODELS, input: pathLines(models, directory) };
}

/** By the paths as they were asked for; null when the answer isn't whole. */
export function parseModels(output: string, models: readonly string[]): ReadonlyMap<string, ModelLook> | null {
  return looksOf(output, models, { key: 'model', read: readModel });
}

const MODELS = `
LC_ALL=C
${MODEL}${EACH}
vigil_look() { vigil_budget_for $vigil_count; vigil_model "$1" $vigil_share; }
vigil_each_path model
`;
