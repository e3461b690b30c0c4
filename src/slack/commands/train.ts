import { onlyOne } from '../../list.ts';
import { hostsWith } from '../../rights.ts';
import type { Call } from '../call.ts';
import { known, meantBy, recipesOf } from './arguments.ts';
import { defineCommand } from './define.ts';
import type { Places } from './parse-args.ts';
import { START_NOTE, START_USAGE, startCommand } from './start-command.ts';

export const train = defineCommand({
  ...startCommand('train'),
  name: 'train',
  alsoCalled: ['launch', 'start', 'run', 'training', 'create'],
  summary: 'Start a training on a host and watch it to its end',
  usage: `train [HOST] [RECIPE] ${START_USAGE}`,
  example: ['train', 'HOST', 'RECIPE', '--queue'],
  notes: [
    'HOST and RECIPE are names of vigil.yaml; where there is only one that you may launch on, or only one that trains, it may be left out.',
    START_NOTE,
  ],
  complete: completeTraining,
});

/** A word alone is a host where it names one, or is close to one; else it is a recipe. */
export function completeTraining(words: readonly string[], call: Call): Places {
  const [first, second] = words;
  if (second !== undefined) return words;
  const { config, who } = call;
  const hosts = Object.keys(config.hosts);
  const host = onlyOne(hostsWith(config, who, 'launch')) ?? undefined;
  const recipe = onlyOne(recipesOf('train', config)) ?? undefined;
  if (first === undefined) return [host, recipe];
  const isRecipe = known(first, hosts) === null && known(first, Object.keys(config.recipes)) !== null;
  return isRecipe || meantBy(first, hosts) === null ? [host, first] : [first, recipe];
}
