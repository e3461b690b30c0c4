/** A server's drafter beside its target, as far as their config.json could be read. */

import type { Known } from './check.ts';
import { type DraftConfig, readDraftConfig } from './draft-config.ts';
import { type JsonObject, numberAt } from './json.ts';
import { configOf, targetConfig, textConfig } from './looks.ts';
import { methodOf } from './speculative.ts';
import type { Server, Subject } from './subject.ts';

export interface Pair {
  readonly server: Server;
  readonly drafter: DraftConfig;
  /** null where the target's own can't be read. */
  readonly target: JsonObject | null;
  readonly targetLayers: number | null;
}

/** Servers that draft with DFlash. */
export function draftsWithDflash({ speculative }: Server): boolean {
  return speculative !== null && speculative !== 'broken' && methodOf(speculative) === 'dflash';
}

export function pairsIn({ servers }: Pick<Subject, 'servers'>, shown: Pick<Known, 'models' | 'hub'>): readonly Pair[] {
  return servers.filter(draftsWithDflash).flatMap((server) => {
    const config = configOf(server.drafter, shown);
    if (config === null) return [];
    const whole = targetConfig(server, shown);
    const target = whole === null ? null : textConfig(whole);
    return [{ server, drafter: readDraftConfig(config), target, targetLayers: numberAt(target, 'num_hidden_layers') }];
  });
}
