import { z } from 'zod';
import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import { known, meantBy, oneOf, recipeOf, recipesOf } from './arguments.ts';
import { defineCommand, type Places } from './define.ts';
import { DRY_RUN_NOTE, dryRun } from './dry-run.ts';
import { FORCE_NOTE, LINE_NOTE, LINE_OPTIONS, modeOf, startRun } from './start.ts';

export const train = defineCommand({
  name: 'train',
  summary: 'Start a training on a host and watch it to its end',
  usage: 'train [HOST] [RECIPE] [--queue | --replace | --dry-run] [--force]',
  notes: [
    'HOST and RECIPE are names of vigil.yaml; where there is only one that you may launch on, or only one that trains, it may be left out.',
    'One thread tells the whole story, to its end.',
    LINE_NOTE,
    DRY_RUN_NOTE,
    FORCE_NOTE,
  ],
  right: 'launch',
  whenClosed: 'Not accepted: Redis does not answer, nothing was started.',
  options: { ...LINE_OPTIONS, 'dry-run': 'flag', force: 'flag' },
  args: ({ config }) =>
    z.object({
      host: oneOf('host', Object.keys(config.hosts)),
      recipe: recipeOf('train', config),
      queue: z.boolean(),
      replace: z.boolean(),
      dryRun: z.boolean(),
      force: z.boolean(),
    }),
  complete: completeTraining,
  run: ({ host, recipe, ...how }, call) => {
    const mode = modeOf(how);
    return how.dryRun
      ? dryRun({ host, recipe }, call)
      : startRun({ host, recipe, mode, isForced: how.force, trigger: call.from.trigger }, call);
  },
});

/** A word alone is a host where it names one, or is close to one; else it is a recipe. */
export function completeTraining(words: readonly string[], call: Call): Places {
  const [first, second] = words;
  if (second !== undefined) return words;
  const { config, from } = call;
  const hosts = Object.keys(config.hosts);
  const host = onlyOne(hosts.filter((name) => mayDo(config, from.user, 'launch', name)));
  const recipe = onlyOne(recipesOf('train', config));
  if (first === undefined) return [host, recipe];
  const isRecipe = known(first, hosts) === null && known(first, Object.keys(config.recipes)) !== null;
  return isRecipe || meantBy(first, hosts) === null ? [host, first] : [first, recipe];
}

function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
