/** Made-up facts that rows' samples are written with: one host, two GPUs of 48 GiB, a target and its drafter. */

import type { ServeRecipe } from '../config/config.ts';
import type { GpuProcess, GpuUse } from '../host/gpu.ts';
import type { Outlook } from '../host/launch.ts';
import type { FileLook, ModelLook, Packages, Weight } from '../host/preflight.ts';
import type { Known } from './check.ts';
import { readServer } from './server.ts';
import type { Subject } from './subject.ts';

/** Host time of all samples, ms. */
export const NOW = 1_000_000_000_000;

export const GIB = 1024 ** 3;

interface Changes {
  readonly recipe?: Partial<ServeRecipe>;
  readonly devices?: readonly string[] | null;
  readonly unread?: readonly string[];
}

/** `vllm serve` with these words behind it, on GPU 0 and 1. */
export function serving(words: readonly string[], changes: Changes = {}): Subject {
  const argv = ['vllm', 'serve', ...words];
  const recipe: ServeRecipe = {
    kind: 'serve',
    name: 'dflash',
    argv,
    environment: {},
    secrets: [],
    prelude: null,
    directory: null,
    log: '/root/vllm-serve.log',
    gpus: ['0', '1'],
    stopGrace: 60,
    expect: [],
    versions: {},
    python: null,
    budgets: {},
    floor: { acceptanceLength: null, tokensPerSecond: null },
    address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
    ...changes.recipe,
  };
  const server = readServer(recipe.argv, recipe.environment);
  return {
    host: 'kpro5',
    recipe,
    address: recipe.address,
    devices: changes.devices === undefined ? ['0', '1'] : changes.devices,
    servers: server === null ? [] : [server],
    trainer: null,
    unread: changes.unread ?? [],
  };
}

/** The words of `--speculative-config` with a drafter in /models/drafter. */
export function drafting(changes: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const config = { method: 'dflash', model: '/models/drafter', num_speculative_tokens: 15, ...changes };
  return ['--speculative-config', JSON.stringify(config)];
}

/** Nothing in the way of program, folder and log. */
export const FREE: Outlook = {
  program: '/opt/venv/bin/vllm',
  path: '/opt/venv/bin:/usr/bin',
  directory: '/root',
  log: '/root/vllm-serve.log',
  olderLog: null,
  obstacles: [],
  warnings: [],
};

/** An idle RTX A6000. */
export function gpuUse(index: number, changes: Partial<GpuUse> = {}): GpuUse {
  return {
    index: String(index),
    uuid: `GPU-${index}${index}${index}${index}aaaa-0000-0000-0000-000000000000`,
    name: 'NVIDIA RTX A6000',
    totalMib: 49_140,
    usedMib: 3,
    freeMib: 48_674,
    utilization: 0,
    isMig: false,
    migs: [],
    processes: [],
    ...changes,
  };
}

/** 20 GiB of somebody's on a GPU, for three hours. */
export function gpuProcess(changes: Partial<GpuProcess> = {}): GpuProcess {
  return {
    pid: 4242,
    command: 'python train.py',
    usedMib: 20_000,
    user: 'bob',
    since: NOW - 3 * 3_600_000,
    run: null,
    ...changes,
  };
}

/** A whole shard of `bytes`. */
export function weight(name: string, bytes = 26 * GIB): Weight {
  const header = JSON.stringify({ w: { dtype: 'BF16', shape: [1], data_offsets: [0, bytes - 8 - 64] } }).padEnd(64);
  return { name, size: bytes - 64 + header.length, first: '@\0\0\0\0\0\0\0{"w":', headerLength: header.length, header };
}

type Model = ModelLook & { readonly kind: 'model' };

/** A folder of two shards with all that belongs to them. */
export function folder(config: unknown, changes: Partial<Model> = {}): Model {
  const names = ['model-1.safetensors', 'model-2.safetensors'];
  return {
    kind: 'model',
    path: '/models/target',
    weights: names.map((name) => weight(name)),
    index: names,
    config: JSON.stringify(config),
    partial: [],
    names: [...names, 'config.json', 'tokenizer.json', 'model.safetensors.index.json'],
    ...changes,
  };
}

/** A target of 64 layers, as its config.json has it. */
export const TARGET = {
  architectures: ['Qwen3_5ForConditionalGeneration'],
  model_type: 'qwen3_5',
  text_config: {
    hidden_size: 5120,
    num_hidden_layers: 64,
    vocab_size: 248_320,
    num_attention_heads: 24,
    max_position_embeddings: 262_144,
  },
};

/** Its drafter, z-lab's form. */
export const DRAFTER = {
  architectures: ['DFlashDraftModel'],
  block_size: 16,
  dflash_config: { mask_token_id: 248_070, target_layer_ids: [1, 16, 31, 46, 61] },
  hidden_size: 5120,
  vocab_size: 248_320,
  num_hidden_layers: 5,
  num_attention_heads: 32,
  num_target_layers: 64,
  layer_types: ['sliding_attention', 'sliding_attention', 'sliding_attention', 'sliding_attention', 'full_attention'],
  sliding_window: 2048,
};

/** Target and drafter as the host shows them. */
export function models(target: unknown, drafter: unknown): ReadonlyMap<string, ModelLook> {
  return new Map<string, ModelLook>([
    ['/models/target', folder(target)],
    ['/models/drafter', draftFolder(drafter)],
  ]);
}

/** What a row needs that compares the drafter with its target. */
export function pair(drafter: unknown = DRAFTER): Pick<Known, 'models' | 'hub'> {
  return { models: models(TARGET, drafter), hub: new Map() };
}

/** The folder of a drafter: 3 GiB in one file. */
export function draftFolder(config: unknown, changes: Partial<Model> = {}): Model {
  const name = 'model.safetensors';
  const bare = { index: null, weights: [weight(name, 3 * GIB)], names: [name, 'config.json'] };
  return folder(config, { path: '/models/drafter', ...bare, ...changes });
}

export function packages(versions: Readonly<Record<string, string>>, changes: Partial<Packages> = {}): Packages {
  const folder = '/opt/venv/lib/python3.12/site-packages';
  return {
    python: '/opt/venv/bin/python',
    why: null,
    folders: [folder],
    distributions: Object.entries(versions).map(([name, version]) => ({ name, version, folder })),
    flashAttn: null,
    ...changes,
  };
}

export function file(text: string): FileLook {
  return { kind: 'file', path: '/models/drafter/config.json', size: text.length, text };
}
