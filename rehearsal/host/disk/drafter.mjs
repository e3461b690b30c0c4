/** The drafter's folder, as z-lab lays one out: five layers, four of them with a sliding window. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWeights } from './weights.mjs';

const layers = 5;
const hidden = 5120;
const inner = 17_408;
const heads = 32;
const keyHeads = 8;
const headSize = 128;

/** What the drafter was trained with. */
const trained = {
  layerIds: [1, 16, 31, 46, 61],
  layerTypes: [...Array.from({ length: layers - 1 }, () => 'sliding_attention'), 'full_attention'],
  window: 2048,
};

/** What stood in the file before somebody asked for the real values. */
export const guessed = {
  layerIds: [1, 17, 33, 49, 63],
  layerTypes: Array.from({ length: layers }, () => 'full_attention'),
  window: null,
};

export function writeDrafter(folder) {
  mkdirSync(folder, { recursive: true });
  writeDrafterConfig(folder, trained);
  writeWeights(folder, { tensors, shards: 1 });
}

export function writeDrafterConfig(folder, values) {
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(configWith(values), null, 2)}\n`);
}

/** Whether its config.json says what it was trained with; of a drafter that isn't there nobody knows better. */
export function isAsTrained(folder) {
  const found = readConfig(folder);
  if (found === null) return true;
  const values = [found.dflash_config?.target_layer_ids, found.layer_types, found.sliding_window];
  return JSON.stringify(values) === JSON.stringify([trained.layerIds, trained.layerTypes, trained.window]);
}

/** The target's layers that it is given, from 0 on; null where its config.json doesn't say. */
export function layerIdsOf(folder) {
  return readConfig(folder)?.dflash_config?.target_layer_ids ?? null;
}

function readConfig(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function configWith({ layerIds, layerTypes, window }) {
  return {
    architectures: ['DFlashDraftModel'],
    attention_bias: false,
    auto_map: { AutoModel: 'dflash.DFlashDraftModel' },
    block_size: 16,
    dflash_config: { mask_token_id: 248_070, target_layer_ids: layerIds },
    dtype: 'bfloat16',
    head_dim: headSize,
    hidden_act: 'silu',
    hidden_size: hidden,
    intermediate_size: inner,
    layer_types: layerTypes,
    max_position_embeddings: 40_960,
    model_type: 'qwen3',
    num_attention_heads: heads,
    num_hidden_layers: layers,
    num_key_value_heads: keyHeads,
    num_target_layers: 64,
    rms_norm_eps: 1e-6,
    rope_theta: 10_000_000,
    sliding_window: window,
    tie_word_embeddings: false,
    use_sliding_window: window !== null,
    vocab_size: 248_320,
  };
}

const tensors = [
  tensor('fc.weight', hidden, trained.layerIds.length * hidden),
  tensor('hidden_norm.weight', hidden),
  ...Array.from({ length: layers }, (_, layer) => `layers.${layer}`).flatMap((name) => [
    tensor(`${name}.input_layernorm.weight`, hidden),
    tensor(`${name}.self_attn.q_proj.weight`, heads * headSize, hidden),
    tensor(`${name}.self_attn.k_proj.weight`, keyHeads * headSize, hidden),
    tensor(`${name}.self_attn.v_proj.weight`, keyHeads * headSize, hidden),
    tensor(`${name}.self_attn.o_proj.weight`, hidden, heads * headSize),
    tensor(`${name}.self_attn.q_norm.weight`, headSize),
    tensor(`${name}.self_attn.k_norm.weight`, headSize),
    tensor(`${name}.post_attention_layernorm.weight`, hidden),
    tensor(`${name}.mlp.gate_proj.weight`, inner, hidden),
    tensor(`${name}.mlp.up_proj.weight`, inner, hidden),
    tensor(`${name}.mlp.down_proj.weight`, hidden, inner),
  ]),
  tensor('norm.weight', hidden),
];

function tensor(name, ...shape) {
  return [name, shape, 'BF16'];
}
