/** What somebody may choose from: the hosts on which they may launch, and the recipes of the kind. */

import { nameOf } from '../../check/model-ref.ts';
import { readServer } from '../../check/server.ts';
import type { Config, Recipe } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { onlyOne } from '../../list.ts';
import { createMask } from '../../log/mask.ts';
import { gpuWords, listensWords } from '../../report/words.ts';
import { hostsWith, type Who, whyUnsure } from '../../rights.ts';
import { recipesOf } from '../commands/arguments.ts';
import { missingWords } from '../commands/refusal-words.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { Refused } from '../refusals.ts';
import type { Chosen } from './fields.ts';

export interface Offered {
  readonly kind: Kind;
  readonly hosts: readonly string[];
  /** Those of the hosts on which they may override what checks refuse. */
  readonly forcible: readonly string[];
  readonly recipes: readonly { readonly name: string; readonly about: string }[];
  /** Why hosts may be missing, as a sentence, or null. */
  readonly missing: string | null;
}

/** Throws UsageError with what is missing, and who can give it, where there is nothing to choose. */
export function offeredTo(who: Who, kind: Kind, config: Config): Offered {
  const hosts = hostsWith(config, who, 'launch');
  if (hosts.length === 0) throw new Refused('right', mayLaunchNowhere(who, kind, config));
  const recipes = recipesOf(kind, config).flatMap((name) => {
    const recipe = config.recipes[name];
    return recipe === undefined ? [] : [{ name, about: aboutRecipe(recipe) }];
  });
  if (recipes.length === 0)
    throw new UsageError(`vigil.yaml has no recipe of \`kind: ${kind}\`. Whoever keeps vigil.yaml can add one.`);
  return {
    kind,
    hosts,
    forcible: hostsWith(config, who, 'force'),
    recipes,
    missing: missingWords({ config, who }, 'launch'),
  };
}

/** What goes without saying, since there is only one. */
export function onlyOnes({ hosts, recipes }: Offered): {
  readonly host: string | null;
  readonly recipe: string | null;
} {
  return { host: onlyOne(hosts), recipe: onlyOne(recipes.map(({ name }) => name)) };
}

/** What is chosen with what goes without saying: a list with one entry shows it from the start. */
export function withOnlyOnes(chosen: Chosen, offered: Offered): Chosen {
  const only = onlyOnes(offered);
  return { ...chosen, host: chosen.host ?? only.host, recipe: chosen.recipe ?? only.recipe };
}

function mayLaunchNowhere(who: Who, kind: Kind, config: Config): string {
  const refused = `Refused: you (${who.user}) may launch on no host`;
  const others = `\`${KINDS[kind].slash} help\` lists what else there is.`;
  const unsure = whyUnsure(config, who, 'launch', Object.keys(config.hosts));
  return unsure === null
    ? `${refused}. Whoever keeps vigil.yaml can add you under hosts.HOST.rights.launch. ${others}`
    : `${refused}, as far as Slack tells. ${unsure} Try again in a minute. ${others}`;
}

/** `2 GPUs, port 8000, Qwen/Qwen3-8B`; without a model its command. */
function aboutRecipe(recipe: Recipe): string {
  const { kind, argv, environment, gpus, address, secrets } = recipe;
  const model = kind === 'serve' ? (readServer(argv, environment)?.model ?? null) : null;
  const what = createMask(secrets)(model === null ? argv.join(' ') : nameOf(model));
  return [gpuWords(gpus) ?? 'no GPU', listensWords({ kind, address }), what]
    .filter((words) => words !== null)
    .join(', ');
}
