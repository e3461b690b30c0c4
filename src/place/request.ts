/** What a launch order comes to, by vigil.yaml. */

import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { LaunchOrder } from '../requests.ts';
import type { Request } from '../run/request.ts';
import { UNNAMED } from '../run/step.ts';

type Order = Omit<LaunchOrder, 'mode'>;

/** Same trigger, same run: the id is derived from Slack's trigger_id. The name is given in the script. */
export function launchRequest(config: Config, order: Order, at: number): Request {
  const recipe = config.recipes[order.recipe];
  if (recipe === undefined || config.hosts[order.host] === undefined) {
    throw new Error(`launch order names ${order.host} and ${order.recipe}, which vigil.yaml doesn't hold`);
  }
  const hash = createHash('sha256').update(order.trigger).digest('hex').slice(0, 12);
  const asked = {
    id: `${config.instance}-${order.host}-${hash}`,
    name: UNNAMED,
    host: order.host,
    recipe: order.recipe,
    argv: recipe.argv,
    log: recipe.log,
    gpus: recipe.gpus,
    stopGrace: recipe.stopGrace,
    by: order.by,
    channel: order.channel,
    at,
    found: null,
    ...(Object.keys(recipe.budgets).length === 0 ? {} : { budgets: recipe.budgets }),
    ...(order.isForced === true ? { forcedBy: order.by } : {}),
  };
  if (recipe.kind === 'serve') return { ...asked, kind: 'serve', address: recipe.address };
  return { ...asked, kind: 'train', address: recipe.address, targetLog: recipe.targetLog };
}
