/** A drafter's config.json in its two forms: z-lab's (`dflash_config`) and that of speculators (`aux_hidden_state_layer_ids`). */

import { asObject, type JsonObject, numberAt, numbersAt, textsAt, valueAt } from './json.ts';

export interface DraftConfig {
  /** Ids of z-lab count decoder layers from 0, those of speculators hidden states: one higher for the same layer. */
  readonly form: 'z-lab' | 'speculators';
  /** Where its layer ids stand, as a key, and what they are; null where there are none. */
  readonly layerIds: { readonly key: string; readonly ids: readonly number[] } | null;
  readonly blockSize: number | null;
  readonly samplesFromAnchor: boolean;
  readonly hiddenSize: number | null;
  readonly vocabulary: number | null;
  readonly layers: number | null;
  readonly layerTypes: readonly string[] | null;
  readonly slidingWindow: number | null;
  /** use_sliding_window is false in so many words. */
  readonly dropsWindow: boolean;
  /** How many layers its target has, where it says so. */
  readonly targetLayers: number | null;
}

const ZLAB_KEY = 'dflash_config.target_layer_ids';

export function readDraftConfig(config: JsonObject): DraftConfig {
  const isSpeculators = Object.hasOwn(config, 'speculators_model_type');
  const inner = asObject(config.transformer_layer_config) ?? config;
  return {
    form: isSpeculators ? 'speculators' : 'z-lab',
    layerIds: readLayerIds(config, isSpeculators),
    blockSize: numberAt(config, 'block_size') ?? numberAt(config, 'dflash_config', 'block_size'),
    samplesFromAnchor:
      config.sample_from_anchor === true || valueAt(config, ['dflash_config', 'sample_from_anchor']) === true,
    hiddenSize: numberAt(config, 'target_hidden_size') ?? numberAt(inner, 'hidden_size'),
    vocabulary: numberAt(inner, 'vocab_size'),
    layers: numberAt(inner, 'num_hidden_layers'),
    layerTypes: textsAt(inner, 'layer_types'),
    slidingWindow: numberAt(inner, 'sliding_window') ?? numberAt(config, 'dflash_config', 'swa_window_size'),
    dropsWindow: inner.use_sliding_window === false,
    targetLayers: numberAt(config, 'num_target_layers'),
  };
}

function readLayerIds(config: JsonObject, isSpeculators: boolean): DraftConfig['layerIds'] {
  if (!isSpeculators) {
    const ids = numbersAt(config, 'dflash_config', 'target_layer_ids');
    if (ids !== null) return { key: ZLAB_KEY, ids };
  }
  const key = ['aux_hidden_state_layer_ids', 'eagle_aux_hidden_state_layer_ids'].find((name) =>
    numbersAt(config, name),
  );
  return key === undefined ? null : { key, ids: numbersAt(config, key) ?? [] };
}
