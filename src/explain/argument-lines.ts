/** What a server was asked for, as people read it. */

import type { JsonObject, JsonValue } from '../log/events.ts';
import { clip } from '../report/escape.ts';
import { pairs } from './wrap.ts';

const MOST = 30;
/** A value that is longer is cut: the log has all of it. */
const LONGEST = 300;

/** What the command line's parser keeps for itself. */
const PARSERS_OWN = new Set(['subparser', 'dispatch_function', 'config_file', 'log_config_file']);

/** Old versions print all arguments: of those that nobody sets these are left out, where they are as they come. */
const AS_IT_COMES: Readonly<Record<string, string>> = {
  allowed_headers: '["*"]',
  allowed_methods: '["*"]',
  allowed_origins: '["*"]',
  block_size: '16',
  config_format: '"ConfigFormat.AUTO"',
  cpu_offload_gb: '0',
  guided_decoding_backend: '"outlines"',
  ignore_patterns: '[]',
  lora_extra_vocab_size: '256',
  max_logprobs: '20',
  max_lora_rank: '16',
  max_loras: '1',
  max_prompt_adapters: '1',
  max_seq_len_to_capture: '8192',
  middleware: '[]',
  multi_step_stream_outputs: 'true',
  num_lookahead_slots: '0',
  num_scheduler_steps: '1',
  response_role: '"assistant"',
  scheduler_delay_factor: '0',
  scheduling_policy: '"fcfs"',
  seed: '0',
  spec_decoding_acceptance_method: '"rejection_sampler"',
  ssl_cert_reqs: '0',
  swap_space: '4',
  tokenizer_pool_size: '0',
  tokenizer_pool_type: '"ray"',
  use_tqdm_on_load: 'true',
  uvicorn_log_level: '"info"',
};

/** An argument a line. Of very many those that are switched off are left out. */
export function argumentLines(asked: JsonObject): string[] {
  const all = Object.entries(asked).filter(([key, value]) => isTold(key, value, asked));
  const said = all.length <= MOST ? all : all.filter(([, value]) => !isOff(value));
  const more = said.length - MOST;
  const lines = pairs(
    said.slice(0, MOST).map(([key, value]) => [key, valueWords(value)]),
    '  ',
  );
  return lines.length === 0 ? [] : ['Arguments', ...lines, ...(more > 0 ? [`  ... and ${more} more`] : [])];
}

/** vLLM prints the model twice. */
function isTold(key: string, value: JsonValue, { model }: JsonObject): boolean {
  if (PARSERS_OWN.has(key) || (key === 'model_tag' && value === model)) return false;
  return AS_IT_COMES[key] !== JSON.stringify(value);
}

function isOff(value: JsonValue): boolean {
  return value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** On one line, with blanks where it may be broken. */
export function valueWords(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return clip(value, LONGEST);
  const text = JSON.stringify(value, null, 1).replace(/(?<=[[{])\n *|\n *(?=[\]}])/g, '');
  return clip(text.replace(/\n */g, ' '), LONGEST);
}
