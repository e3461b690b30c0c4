/** Keeps a configuration small enough for the journal, and its secrets out. */

import type { JsonObject, JsonValue } from '../events.ts';
import { isObject } from './object.ts';

/** Of the whole, as JSON. */
const MAX_SIZE = 3000;
/** Of one value that is no object: lists of all graph sizes or all flags of a proxy tell nothing here. */
const MAX_VALUE = 300;
const MAX_DEPTH = 4;

const SECRET = /(?:^|_)(?:api_?keys?|token|password|passwd|secret|credentials?)$/i;

/** What is asked first where there is no room for all. */
const FIRST = `
  model model_tag model_path served_model_name max_model_len max_seq_len context_length dtype quantization kv_cache_dtype
  tensor_parallel_size tp_size pipeline_parallel_size pp_size data_parallel_size dp_size enable_expert_parallel ep_size
  speculative_config speculative_algorithm speculative_draft_model_path speculative_num_draft_tokens enforce_eager
  disable_cuda_graph enable_prefix_caching disable_radix_cache enable_chunked_prefill chunked_prefill_enabled
  chunked_prefill_size gpu_memory_utilization mem_fraction_static max_num_seqs max_running_requests max_num_batched_tokens seed
  random_seed trust_remote_code load_format tokenizer compilation_config host port api_server_count
`
  .trim()
  .split(/\s+/);

/** The keys that matter most, then the rest in its order, up to 3 KB. A value that is too large is left out, never shortened. */
export function bounded(values: JsonObject): JsonObject {
  const keys = new Set([...FIRST.filter((key) => Object.hasOwn(values, key)), ...Object.keys(values)]);
  const kept: [string, JsonValue][] = [];
  let size = 2;
  for (const key of keys) {
    const value = small(key, values[key], 0);
    if (value === undefined) continue;
    const cost = JSON.stringify([key, value]).length + 1;
    if (size + cost > MAX_SIZE) continue;
    size += cost;
    kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}

function small(key: string, value: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (value === undefined || SECRET.test(key)) return undefined;
  if (!isObject(value)) return JSON.stringify(value).length <= MAX_VALUE ? withoutSecrets(value, depth) : undefined;
  if (depth >= MAX_DEPTH) return undefined;
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const kept = small(name, each, depth + 1);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}

function withoutSecrets(value: JsonValue, depth: number): JsonValue | undefined {
  if (!Array.isArray(value)) return value;
  return value.map((each: JsonValue) => small('', each, depth + 1) ?? null);
}
