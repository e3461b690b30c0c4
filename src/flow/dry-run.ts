/** What a launch would do and meet on its host, found without starting anything. Secrets stay here. */

import { addressWords } from '../address.ts';
import type { Config, Recipe } from '../config/config.ts';
import { isHidden } from '../config/secret-shapes.ts';
import { HostRefused } from '../errors.ts';
import { createMask } from '../log/mask.ts';
import { launchEnvironment } from '../place/environment.ts';
import { launchRequest } from '../place/request.ts';
import type { Tools } from '../processor.ts';
import type { DryRun } from '../questions.ts';
import type { Host } from '../tools.ts';
import { gpuOutlook } from './gpu-outlook.ts';
import { launchSpec } from './launch-spec.ts';
import { recipeGone } from './never.ts';
import { portTaken } from './port-taken.ts';

/** Throws HostRefused where vigil.yaml has lost the recipe, and what the host throws. */
export async function dryRun(
  wanted: { readonly host: string; readonly recipe: string },
  { config, hosts, line }: Pick<Tools, 'config' | 'hosts' | 'line'>,
  signal: AbortSignal,
): Promise<DryRun> {
  const recipe = config.recipes[wanted.recipe];
  if (recipe === undefined) throw new HostRefused(wanted.host, recipeGone(wanted));
  const host = hosts.get(wanted.host);
  const { argv, prelude, log, gpus } = recipe;
  const request = launchRequest(config, { ...wanted, trigger: 'dry-run', by: '', channel: '' }, 0);
  const spec = launchSpec(config, { request, placement: null }, { recipe, note: '' });
  const [outlook, taken, { placement, obstacles }] = await Promise.all([
    host.find(spec, signal),
    portInTheWay(host, recipe, signal),
    gpuOutlook(request, { host, line }, signal),
  ]);
  const mask = createMask(recipe.secrets);
  return {
    argv: argv.map(mask),
    environment: shownEnvironment(recipe, launchEnvironment(recipe, placement)),
    prelude: prelude === null ? null : mask(prelude),
    program: outlook.program,
    path: outlook.path,
    directory: outlook.directory,
    // The run folder's own log has the run's id in its path.
    log: log === null ? null : outlook.log,
    olderLog: outlook.olderLog,
    gpus: placement?.devices ?? gpus,
    address: recipe.address === null ? null : addressWords(recipe.address),
    reached: reachedAt(config, host.name),
    obstacles: [...outlook.obstacles, ...taken, ...obstacles],
    warnings: outlook.warnings,
  };
}

async function portInTheWay(host: Host, { address }: Recipe, signal: AbortSignal): Promise<readonly string[]> {
  if (address === null) return [];
  const listener = await host.listener(address, signal);
  return listener.kind === 'closed' ? [] : [portTaken({ address, host: host.name }, listener)];
}

/** null stands for a value that must not be shown. */
function shownEnvironment({ secrets }: Recipe, environment: Recipe['environment']): DryRun['environment'] {
  const mask = createMask(secrets);
  return Object.entries(environment).map(([name, value]) => {
    return { name, value: value !== '' && isHidden({ name, value }, secrets) ? null : mask(value) };
  });
}

function reachedAt({ hosts }: Config, name: string): string {
  const connect = hosts[name]?.connect;
  if (connect === undefined) return name;
  return connect.kind === 'alias' ? connect.alias : `${connect.user}@${connect.address}:${connect.port}`;
}
