/** Which layers' hidden states target and trainer agree on, counted as speculators does: 0 is the embedding, n the last layer. */

import { lastFlag } from '../../config/flags.ts';
import type { Known } from '../check.ts';
import { readDraftConfig } from '../draft-config.ts';
import { asObject, numberAt, parseJson } from '../json.ts';
import { targetConfig, textConfig } from '../looks.ts';
import type { Server, Trainer } from '../subject.ts';
import { mayHold } from '../unread.ts';
import { isSpeculators } from './pair.ts';

export interface Layers {
  /** How many the target has; null where its config.json isn't told. */
  readonly count: number | null;
  readonly hiddenSize: number | null;
  /** What the target gives out, the last layer as far as the command names it; null where that can't be known. */
  readonly given: readonly number[] | null;
  /** launch_vllm.py adds the last layer. */
  readonly addsLast: boolean;
  /** What the trainer reads beside the last layer, and who says so. */
  readonly read: { readonly ids: readonly number[]; readonly by: 'flag' | 'drafter' | 'default' } | null;
  /** Ids of the drafter that the training goes on from. */
  readonly drafter: readonly number[] | null;
}

type Shown = Pick<Known, 'models' | 'hub'>;

export function readLayers({ trainer, target }: { trainer: Trainer; target: Server | null }, shown: Shown): Layers {
  const whole = target === null ? null : targetConfig(target, shown);
  const config = whole === null ? null : textConfig(whole);
  const count = numberAt(config, 'num_hidden_layers');
  const drafter = drafterIds(trainer, shown);
  return {
    count,
    hiddenSize: numberAt(config, 'hidden_size'),
    given: givenBy(target, count),
    addsLast: target?.extraction?.addsLast ?? false,
    read: readBy(trainer, { count, drafter }),
    drafter,
  };
}

/** Of both sides where nobody names any. */
function byDefault(count: number | null): readonly number[] | null {
  return count === null ? null : [2, Math.floor(count / 2), count - 3];
}

function givenBy(target: Server | null, count: number | null): readonly number[] | null {
  if (target?.extraction === undefined) return null;
  const { layerIds, addsLast } = target.extraction;
  if (layerIds === null && mayHold(target.unread ?? [], '--target-layer-ids')) return null;
  return layerIds ?? (addsLast ? byDefault(count) : null);
}

function readBy(
  trainer: Trainer,
  { count, drafter }: { readonly count: number | null; readonly drafter: readonly number[] | null },
): Layers['read'] {
  const { argv, targetLayerIds, unread = [] } = trainer;
  if (!isSpeculators(trainer)) return null;
  if (targetLayerIds !== null) return { ids: targetLayerIds, by: 'flag' };
  if (mayHold(unread, '--target-layer-ids') || lastFlag(argv, '--config') !== null) return null;
  if (startOf(argv) !== null) return drafter === null ? null : { ids: drafter, by: 'drafter' };
  const ids = byDefault(count);
  return ids === null ? null : { ids, by: 'default' };
}

/** The drafter that the training begins with, or whose shape it takes. */
export function startOf(argv: readonly string[]): string | null {
  return lastFlag(argv, '--from-pretrained')?.value ?? null;
}

/** z-lab's ids are one lower for the same layer. */
function drafterIds({ argv }: Trainer, { models }: Shown): readonly number[] | null {
  const look = models.get(startOf(argv) ?? '');
  const config = look?.kind === 'model' && look.config !== null ? asObject(parseJson(look.config)) : null;
  if (config === null) return null;
  const { form, layerIds } = readDraftConfig(config);
  if (layerIds === null) return null;
  return form === 'z-lab' ? layerIds.ids.map((id) => id + 1) : layerIds.ids;
}
