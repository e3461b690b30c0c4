import { mayDo } from '../../rights.ts';
import type { Call } from '../call.ts';
import { known, meantBy, recipesOf } from './arguments.ts';
import { defineCommand, type Places } from './define.ts';
import { START_NOTES, START_USAGE, startCommand } from './start-command.ts';

export const train = defineCommand({
  ...startCommand('train'),
  name: 'train',
  summary: 'Start a training on a host and watch it to its end',
  usage: `train [HOST] [RECIPE] ${START_USAGE}`,
  notes: [
    'HOST and RECIPE are names of vigil.yaml; where there is only one that you may launch on, or only one that trains, it may be left out.',
    ...START_NOTES,
  ],
  complete: completeTraining,
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
