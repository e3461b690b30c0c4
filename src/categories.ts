/** The kinds of causes that people are told, from the missing quote to the dead engine. */
export const CATEGORIES = [
  'cuda_oom',
  'kv_cache_too_small',
  'missing_module',
  'wrong_flash_attn',
  'unsupported_gpu',
  'gpu_count_mismatch',
  'batched_tokens_too_small',
  'bad_argument',
  'bad_json_argument',
  'spawn_main_guard',
  'model_not_found',
  'gated_or_auth',
  'download_stalled',
  'corrupt_weights',
  'port_in_use',
  'nccl_error',
  'nccl_timeout',
  'driver_mismatch',
  'shared_memory',
  'host_oom_killed',
  'disk_full',
  'unsupported_model',
  'drafter_mismatch',
  'engine_dead',
  'nan_loss',
  'data_error',
  'interrupted',
  'binary_mismatch',
  'toolchain',
  'unknown',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** A training may go on with these, but to no purpose: by itself, or since its target server gives it nothing. */
export const WASTES: ReadonlyMap<string, 'by itself' | 'by its target'> = new Map<
  Category,
  'by itself' | 'by its target'
>([
  ['nan_loss', 'by itself'],
  ['engine_dead', 'by its target'],
]);

/** A trainer goes on in spite of these: always, or once it makes steps (before them a script that tells of a dead target has given up). */
export const LIVES_ON: ReadonlyMap<string, 'always' | 'once it trains'> = new Map<
  Category,
  'always' | 'once it trains'
>([
  ['nan_loss', 'always'],
  ['download_stalled', 'always'],
  ['engine_dead', 'once it trains'],
]);
