/** What a host is given to start a run, or to look at what a start would meet. */

import type { Config, Recipe } from '../config/config.ts';
import type { LaunchSpec } from '../host/launch.ts';
import { launchEnvironment } from '../place/environment.ts';
import type { Placement } from '../run/holder.ts';
import { type Request, targetLogOf } from '../run/request.ts';
import { folderOf } from './folder.ts';

/** Command, log and GPUs are the run's own, whatever the recipe says by now; all else is the recipe's. */
export function launchSpec(
  config: Config,
  { request, placement }: { readonly request: Request; readonly placement: Placement | null },
  { recipe, note }: { readonly recipe: Recipe; readonly note: string },
): LaunchSpec {
  const { argv, log } = request;
  const { prelude, directory } = recipe;
  return {
    ...folderOf(config, request),
    argv,
    environment: launchEnvironment(recipe, placement),
    prelude,
    directory,
    log,
    aside: [targetLogOf(request)].filter((path) => path !== null),
    request: note,
  };
}
