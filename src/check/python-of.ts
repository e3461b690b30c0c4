/** Which Python runs a launch, as far as recipe and script say it. */

import { posix } from 'node:path';
import type { Subject } from './subject.ts';

/** null: the one that the program's own first line names. A training's script names its target's by the program's own path. */
export function pythonOf({ recipe, servers }: Pick<Subject, 'recipe' | 'servers'>): string | null {
  if (recipe.python !== null || recipe.kind === 'serve') return recipe.python;
  const program = servers[0]?.argv.find((word) => /^\/.{1,300}\/bin\/(?:vllm|python[\d.]{0,5})$/.test(word));
  return program === undefined ? null : posix.join(posix.dirname(program), 'python');
}
