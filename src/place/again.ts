/** A restart: the same launch once more, as the run had it, whatever vigil.yaml says of its recipe by now. */

import { isDeepStrictEqual } from 'node:util';
import type { Config, Recipe } from '../config/config.ts';
import { choosesDevices } from '../config/gpus.ts';
import type { RestartOrder } from '../requests.ts';
import { type Request, targetLogOf } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';
import { UNNAMED } from '../run/step.ts';

/** The GPUs that were chosen for the run are named from now on. What somebody forced is checked anew. */
export function restartRequest(
  run: Run,
  { by, channel, trigger }: RestartOrder,
  { id, at }: Pick<Request, 'id' | 'at'>,
): Request {
  const { forcedBy: _, ...request } = run.request;
  const again = { run: request.id, name: request.name, trigger };
  return { ...request, id, name: UNNAMED, gpus: devicesOf(run), by, channel, at, again };
}

/** Why the run can't be started once more, as a sentence with what to do; null where it can. What somebody started by hand is not asked about. */
export function restartObstacle(run: Run, { recipes }: Config): string | null {
  const { recipe: name, kind, host } = run.request;
  if (run.waiting !== null && !isEnd(run.phase))
    return 'It stands in the line and has not started yet: there is nothing to restart.';
  const recipe = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  const launch = `\`${kind === 'train' ? '/dflash train' : '/vllm launch'} ${host} RECIPE\``;
  if (recipe === undefined)
    return `The recipe ${name} is no longer in vigil.yaml, and its environment, prelude, directory and secrets come from there. Put it back, or start another one: ${launch}.`;
  if (recipe.kind !== kind)
    return `The recipe ${name} is one of \`kind: ${recipe.kind}\` by now, and this run is one of \`kind: ${kind}\`. Start another one: ${launch}.`;
  if (choosesDevices(recipe) && !isDeepStrictEqual(recipe.gpus, devicesOf(run)))
    return `The recipe ${name} says in vigil.yaml which GPUs its process sees, and they are others than this run had. Start it anew: ${launch.replace('RECIPE', name)}.`;
  return null;
}

/** What vigil.yaml says otherwise of the recipe by now, by its keys there: the restart keeps what the run had. */
export function changedKeys({ request }: Run, recipe: Recipe): readonly string[] {
  const pairs: [string, unknown, unknown][] = [
    ['argv', recipe.argv, request.argv],
    ['log', recipe.log, request.log],
    ['gpus', recipe.gpus, request.gpus],
    ['stop_grace', recipe.stopGrace, request.stopGrace],
    ['target', targetLogOf(recipe), targetLogOf(request)],
  ];
  return pairs.filter(([, now, then]) => !isDeepStrictEqual(now, then)).map(([key]) => key);
}

function devicesOf({ request, placement }: Run): Request['gpus'] {
  return placement?.devices ?? request.gpus;
}
