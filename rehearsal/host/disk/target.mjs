/** The target model's folder: Qwen3.6-27B, 64 layers of which every fourth has full attention, the others linear. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTokenizer } from './tokenizer.mjs';
import { writeWeights } from './weights.mjs';

const layers = 64;
const interval = 4;
const hidden = 5120;
const inner = 17_408;
const vocabulary = 248_320;
const heads = 24;
const keyHeads = 4;
const headSize = 256;
const valueSize = 48 * 128;
const linearSize = 2 * 16 * 128 + valueSize;
const seen = { depth: 27, hidden: 1152, inner: 4304 };

export function writeTarget(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(targetConfig, null, 2)}\n`);
  writeTokenizer(folder);
  writeWeights(folder, { tensors, shards: 15 });
}

export const targetConfig = {
  architectures: ['Qwen3_5ForConditionalGeneration'],
  image_token_id: 248_056,
  model_type: 'qwen3_5',
  text_config: {
    attention_bias: false,
    attn_output_gate: true,
    dtype: 'bfloat16',
    eos_token_id: 248_044,
    full_attention_interval: interval,
    head_dim: headSize,
    hidden_act: 'silu',
    hidden_size: hidden,
    intermediate_size: inner,
    layer_types: Array.from({ length: layers }, (_, layer) => (isFull(layer) ? 'full_attention' : 'linear_attention')),
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 128,
    linear_num_key_heads: 16,
    linear_num_value_heads: 48,
    linear_value_head_dim: 128,
    mamba_ssm_dtype: 'float32',
    max_position_embeddings: 262_144,
    model_type: 'qwen3_5_text',
    mtp_num_hidden_layers: 1,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    num_key_value_heads: keyHeads,
    partial_rotary_factor: 0.25,
    rms_norm_eps: 1e-6,
    tie_word_embeddings: false,
    vocab_size: vocabulary,
  },
  tie_word_embeddings: false,
  transformers_version: '4.57.1',
  video_token_id: 248_057,
  vision_config: {
    depth: seen.depth,
    hidden_size: seen.hidden,
    intermediate_size: seen.inner,
    model_type: 'qwen3_5',
    num_heads: 16,
    out_hidden_size: hidden,
    patch_size: 16,
    spatial_merge_size: 2,
    temporal_patch_size: 2,
  },
};

const tensors = [
  tensor('model.language_model.embed_tokens.weight', vocabulary, hidden),
  ...Array.from({ length: layers }, (_, layer) => layerTensors(`model.language_model.layers.${layer}`, isFull(layer))),
  tensor('model.language_model.norm.weight', hidden),
  ...visionTensors(),
  tensor('lm_head.weight', vocabulary, hidden),
  tensor('mtp.fc.weight', hidden, 2 * hidden),
  ...layerTensors('mtp.layers.0', true),
  tensor('mtp.norm.weight', hidden),
].flatMap((each) => (typeof each[0] === 'string' ? [each] : each));

function isFull(layer) {
  return (layer + 1) % interval === 0;
}

function layerTensors(name, isFullAttention) {
  return [
    tensor(`${name}.input_layernorm.weight`, hidden),
    ...(isFullAttention ? fullAttention(`${name}.self_attn`) : linearAttention(`${name}.linear_attn`)),
    tensor(`${name}.post_attention_layernorm.weight`, hidden),
    tensor(`${name}.mlp.gate_proj.weight`, inner, hidden),
    tensor(`${name}.mlp.up_proj.weight`, inner, hidden),
    tensor(`${name}.mlp.down_proj.weight`, hidden, inner),
  ];
}

/** The query is twice as wide: its other half is the output's gate. */
function fullAttention(name) {
  return [
    tensor(`${name}.q_proj.weight`, 2 * heads * headSize, hidden),
    tensor(`${name}.k_proj.weight`, keyHeads * headSize, hidden),
    tensor(`${name}.v_proj.weight`, keyHeads * headSize, hidden),
    tensor(`${name}.o_proj.weight`, hidden, heads * headSize),
    tensor(`${name}.q_norm.weight`, headSize),
    tensor(`${name}.k_norm.weight`, headSize),
  ];
}

function linearAttention(name) {
  return [
    [`${name}.A_log`, [48], 'F32'],
    tensor(`${name}.conv1d.weight`, linearSize, 1, 4),
    tensor(`${name}.dt_bias`, 48),
    tensor(`${name}.in_proj_a.weight`, 48, hidden),
    tensor(`${name}.in_proj_b.weight`, 48, hidden),
    tensor(`${name}.in_proj_qkv.weight`, linearSize, hidden),
    tensor(`${name}.in_proj_z.weight`, valueSize, hidden),
    [`${name}.norm.weight`, [128], 'F32'],
    tensor(`${name}.out_proj.weight`, hidden, valueSize),
  ];
}

function visionTensors() {
  const blocks = Array.from({ length: seen.depth }, (_, block) => `model.visual.blocks.${block}`);
  return [
    tensor('model.visual.patch_embed.proj.weight', seen.hidden, 3, 2, 16, 16),
    ...blocks.flatMap((name) => [
      tensor(`${name}.attn.qkv.weight`, 3 * seen.hidden, seen.hidden),
      tensor(`${name}.attn.proj.weight`, seen.hidden, seen.hidden),
      tensor(`${name}.mlp.linear_fc1.weight`, seen.inner, seen.hidden),
      tensor(`${name}.mlp.linear_fc2.weight`, seen.hidden, seen.inner),
    ]),
    tensor('model.visual.merger.linear_fc1.weight', 4 * seen.hidden, 4 * seen.hidden),
    tensor('model.visual.merger.linear_fc2.weight', hidden, 4 * seen.hidden),
  ];
}

function tensor(name, ...shape) {
  return [name, shape, 'BF16'];
}
