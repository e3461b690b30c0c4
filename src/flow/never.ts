/** What a launch can't get over. */

import type { Request } from '../run/request.ts';

export const HOMELESS = 'There is no channel for its thread: invite the bot and launch again.';

export function recipeGone({ recipe }: Pick<Request, 'recipe'>): string {
  return `The recipe ${recipe} is no longer in vigil.yaml.`;
}
