/** What can be compared between what was asked and what the engine says: one row a setting. */

import type { JsonValue } from '../events.ts';
import {
  sameCacheType,
  sameFirst,
  sameMethod,
  sameMode,
  sameModel,
  sameNumber,
  sameQuantization,
  sameType,
  sameWord,
} from './alike.ts';

export interface Term {
  /** vLLM's name of the flag, as people know it. */
  readonly key: string;
  /** Where it stands: in the arguments, and in the engine's configuration. `a.b` is inside `a`; the first that holds something counts. */
  readonly asked: readonly string[];
  readonly got: readonly string[];
  readonly alike: (asked: JsonValue, got: JsonValue) => boolean;
  /** It is a flag without a value. */
  readonly isSwitch?: true;
}

/** To add a row: its key, other names of it in `asked` and `got` where there are, and how two values of it are told apart. */
export const TERMS: readonly Term[] = [
  term('model', sameModel, { asked: ['model', 'model_tag', 'model_path'], got: ['model', 'model_path'] }),
  term('served_model_name', sameFirst),
  term('tokenizer', sameModel, { asked: ['tokenizer', 'tokenizer_path'], got: ['tokenizer', 'tokenizer_path'] }),
  term('tokenizer_mode', sameWord),
  term('revision', sameWord),
  term('tokenizer_revision', sameWord),
  term('max_model_len', sameNumber, {
    asked: ['max_model_len', 'context_length'],
    got: ['max_seq_len', 'context_length'],
  }),
  term('dtype', sameType),
  term('quantization', sameQuantization),
  term('kv_cache_dtype', sameCacheType),
  term('load_format', sameWord),
  term('download_dir', sameWord),
  term('seed', sameNumber, { asked: ['seed', 'random_seed'], got: ['seed', 'random_seed'] }),
  term('tensor_parallel_size', sameNumber, {
    asked: ['tensor_parallel_size', 'tp_size', 'tp'],
    got: ['tensor_parallel_size', 'tp_size'],
  }),
  term('pipeline_parallel_size', sameNumber, {
    asked: ['pipeline_parallel_size', 'pp_size', 'pp'],
    got: ['pipeline_parallel_size', 'pp_size'],
  }),
  // vLLM's own `data_parallel_size` is left out: each rank of a dense model runs, and prints, as if it were 1.
  term('dp_size', sameNumber, { asked: ['data_parallel_size', 'dp_size', 'dp'] }),
  term('ep_size', sameNumber, { asked: ['expert_parallel_size', 'ep_size', 'ep'] }),
  term('decode_context_parallel_size', sameNumber),
  term('dcp_comm_backend', sameWord),
  term('mem_fraction_static', sameNumber),
  term('max_running_requests', sameNumber),
  term('chunked_prefill_size', sameNumber),
  flag('enforce_eager'),
  flag('enable_prefix_caching'),
  flag('enable_chunked_prefill', ['enable_chunked_prefill', 'chunked_prefill_enabled']),
  flag('trust_remote_code'),
  flag('skip_tokenizer_init'),
  flag('disable_custom_all_reduce'),
  flag('enable_return_routed_experts'),
  flag('disable_cuda_graph'),
  flag('disable_radix_cache'),
  term('speculative method', sameMethod, {
    asked: ['speculative_config.method', 'spec_method', 'speculative_algorithm'],
    got: ['speculative_config.method', 'speculative_algorithm'],
  }),
  term('speculative model', sameModel, {
    asked: ['speculative_config.model', 'spec_model', 'speculative_model', 'speculative_draft_model_path'],
    got: ['speculative_config.model', 'speculative_config.draft_model', 'speculative_draft_model_path'],
  }),
  term('num_speculative_tokens', sameNumber, {
    asked: ['speculative_config.num_speculative_tokens', 'spec_tokens', 'num_speculative_tokens'],
    got: ['speculative_config.num_spec_tokens'],
  }),
  term('speculative_num_draft_tokens', sameNumber),
  // Called `level` before 0.11.1.
  term('compilation mode', sameMode, {
    asked: ['compilation_config.mode', 'compilation_config.level'],
    got: ['compilation_config.mode', 'compilation_config.level'],
  }),
  term('cudagraph_mode', sameWord, {
    asked: ['compilation_config.cudagraph_mode', 'cudagraph_mode'],
    got: ['compilation_config.cudagraph_mode'],
  }),
];

/** Flags of these rows take no value, and `--no-` before them turns them off. */
export function isSwitch(name: string): boolean {
  return SWITCHES.has(name);
}

const SWITCHES = new Set([
  ...TERMS.filter(({ isSwitch: is }) => is === true).map(({ key }) => key),
  'enable_expert_parallel',
  'enable_auto_tool_choice',
  'enable_lora',
  'async_scheduling',
  'headless',
]);

function term(key: string, alike: Term['alike'], names: Partial<Pick<Term, 'asked' | 'got'>> = {}): Term {
  return { key, asked: names.asked ?? [key], got: names.got ?? [key], alike };
}

function flag(key: string, got: readonly string[] = [key]): Term {
  return { key, asked: [key], got, alike: sameWord, isSwitch: true };
}
