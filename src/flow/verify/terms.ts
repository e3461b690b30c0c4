/** What a run's recipe has to say of its verification; of a server that Vigil did not launch nothing is known. */

import type { Config } from '../../config/config.ts';
import type { Mask } from '../../log/lines.ts';
import { createMask } from '../../log/mask.ts';
import { isFound } from '../../run/request.ts';
import type { Run } from '../../run/run.ts';
import type { Floor } from '../../verify/verification.ts';

export interface Terms {
  readonly environment: Readonly<Record<string, string>>;
  /** The server's own key: stands in no journal, log or error, and goes nowhere but to the address of the run's request. */
  readonly apiKey: string | null;
  readonly floor: Floor;
  /** Hides secrets in what the server says. */
  readonly mask: Mask;
}

const NO_FLOOR: Floor = { acceptanceLength: null, tokensPerSecond: null };

export function termsOf({ recipes }: Pick<Config, 'recipes'>, run: Pick<Run, 'request'>): Terms {
  const name = run.request.recipe;
  const recipe = !isFound(run) && Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  const environment = recipe?.environment ?? {};
  const apiKey = environment.VLLM_API_KEY ?? null;
  return {
    environment,
    apiKey,
    floor: recipe?.kind === 'serve' ? recipe.floor : NO_FLOOR,
    mask: createMask([...(recipe?.secrets ?? []), ...(apiKey === null ? [] : [apiKey])]),
  };
}
