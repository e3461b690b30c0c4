/** Causes in what was asked for: arguments, sizes, numbers of GPUs. Order is priority; the most telling first. */

import type { DiagnosisRow } from './row.ts';

export const ARGUMENT_ROWS: readonly DiagnosisRow[] = [
  {
    category: 'spawn_main_guard',
    title: 'A launcher script without a `__main__` guard was started again by its own child',
    pattern: /finished its\s+bootstrapping phase|freeze_support\(\)|_check_not_importing_main/,
    sample:
      'RuntimeError: An attempt has been made to start a new process before the current process has finished its bootstrapping phase.',
    remedy: () =>
      "Put the script's own code under `if __name__ == '__main__':`, or start the `vllm serve` command directly: vLLM spawns its engine, and spawn imports the launching script again.",
  },
  {
    category: 'bad_json_argument',
    title: 'A JSON argument lost its quotes on the way',
    pattern:
      /argument (?<flag>--[\w.-]+)\S*: (?:Value (?<value>.*?) cannot be converted to <function loads|invalid (?:json\.)?loads value: (?<raw>.*))/s,
    sample:
      'vllm serve: error: argument --speculative-config/-sc: Value {method: cannot be converted to <function loads at 0x7c1e>.',
    remedy: ({ flag, value, raw }) =>
      `Give ${flag} in the recipe's argv as a map (it becomes one JSON argument), or as dotted flags (\`${flag}.method …\`), which need no quotes. It arrived as \`${value ?? raw ?? ''}\`: a shell ate or doubled its quotes.`,
  },
  {
    category: 'bad_json_argument',
    title: "A JSON argument can't be parsed",
    pattern: /json\.decoder\.JSONDecodeError|JSONDecodeError: /,
    inTraceback: /argparse|arg_utils|argparse_utils|cli_args/,
    sample: 'json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    remedy: () =>
      "Give the JSON argument in the recipe's argv as a map, which becomes one argument byte for byte: it is not valid JSON any more when vLLM sees it.",
  },
  {
    category: 'batched_tokens_too_small',
    title: 'max_num_batched_tokens is smaller than max_model_len',
    pattern: /max_num_batched_tokens \((?<tokens>\d+)\) is smaller than max_model_len \((?<length>\d+)\)/,
    sample:
      'pydantic_core._pydantic_core.ValidationError: Value error, max_num_batched_tokens (8192) is smaller than max_model_len (32768).',
    remedy: ({ tokens, length }) =>
      `Raise --max-num-batched-tokens from ${tokens} to at least ${length}, lower --max-model-len to ${tokens}, or leave chunked prefill on.`,
  },
  {
    category: 'batched_tokens_too_small',
    title: 'Too few batched tokens for the speculative slots',
    pattern:
      /max_num_scheduled_tokens is set to -?\d+|does not allow any tokens|max_num_batched_tokens.*must be greater than or equal to max_num_seqs|max_num_batched_tokens.*too small/s,
    sample:
      'ValueError: max_num_scheduled_tokens is set to -1792 based on the speculative decoding settings, which does not allow any tokens to be scheduled.',
    remedy: () =>
      'Raise --max-num-batched-tokens (32768 is usual with DFlash), or lower --max-num-seqs or num_speculative_tokens: a drafter reserves slots for each sequence.',
  },
  {
    category: 'kv_cache_too_small',
    title: 'The KV cache is too small for max_model_len',
    pattern:
      /(?:\((?<needed>[\d.]+) ?GiB KV cache is needed[^(]*\((?<available>-?[\d.]+) ?GiB\)(?:.*?estimated maximum model length is (?<possible>\d+))?)|KV cache is needed, which is larger than the available/s,
    sample:
      'ValueError: To serve at least one request (8.0 GiB KV cache is needed, which is larger than the available KV cache memory (3.06 GiB). Based on the available memory, the estimated maximum model length is 100272.',
    remedy: ({ needed, available, possible }) => {
      const numbers = needed === undefined ? '' : ` Needed: ${needed} GiB, available: ${available} GiB.`;
      const length = possible === undefined ? 'Lower --max-model-len' : `Set --max-model-len ${possible} or less`;
      return `${length}, raise --gpu-memory-utilization, or spread the model over more GPUs (--tensor-parallel-size).${numbers}`;
    },
  },
  {
    category: 'kv_cache_too_small',
    title: 'No memory is left for the KV cache',
    pattern:
      /No available memory for the cache blocks|larger than the maximum number of tokens that can be stored in KV cache|Not enough memory\. Please try to increase --mem-fraction-static|Available KV cache memory is (?:negative|not enough)/,
    sample:
      'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
    remedy: () =>
      'Raise --gpu-memory-utilization, lower --max-model-len or --max-num-batched-tokens, quantize, or use more GPUs (--tensor-parallel-size): weights, activations and graphs fill the share that vLLM may use.',
  },
  {
    category: 'gpu_count_mismatch',
    title: 'More GPUs were asked for than are visible',
    pattern:
      /DP adjusted local rank (?<rank>\d+) is out of bounds|World size \((?<world>\d+)\) is larger than the number of available GPUs \((?<gpus>\d+)\)|local rank.*out of bounds|invalid device ordinal|No CUDA GPUs are available|(?:number of required GPUs|tensor parallel size).*(?:exceeds|larger than|more than).*(?:available|GPU)|The number of (?:required|available) GPUs/is,
    sample: 'AssertionError: DP adjusted local rank 2 is out of bounds. ',
    remedy: ({ rank, world, gpus }) => {
      if (rank !== undefined) {
        return `Ask for fewer GPUs (--tensor-parallel-size x --pipeline-parallel-size x --data-parallel-size) or list more in CUDA_VISIBLE_DEVICES: a worker needs GPU number ${rank} (counted from 0), which is not visible.`;
      }
      if (world !== undefined)
        return `Lower --tensor-parallel-size or widen CUDA_VISIBLE_DEVICES: ${world} GPUs are asked for and ${gpus} are visible.`;
      return 'Compare --tensor-parallel-size x --pipeline-parallel-size x --data-parallel-size with the GPUs that CUDA_VISIBLE_DEVICES (or the container) leaves visible.';
    },
  },
  {
    category: 'bad_argument',
    title: 'max_model_len is longer than the model allows',
    pattern:
      /User-specified max_model_len \((?<asked>\d+)\) is greater than the derived max_model_len \([^=)]*=?(?<allowed>\d+)?/,
    sample:
      "ValueError: User-specified max_model_len (65536) is greater than the derived max_model_len (max_position_embeddings=40960 or model_max_length=None in model's config.json).",
    remedy: ({ asked, allowed }) =>
      `Lower --max-model-len${allowed === undefined ? '' : ` to ${allowed} or less (the model's config.json)`}, or set rope scaling on purpose. It is ${asked}.`,
  },
  {
    category: 'bad_argument',
    title: "The attention heads can't be divided over the GPUs",
    pattern: /(?:attention heads|num_heads|vocab size|hidden size).*(?:must be|is not) divisible by/i,
    sample: 'ValueError: Total number of attention heads (20) must be divisible by tensor parallel size (8).',
    remedy: () =>
      'Choose a --tensor-parallel-size that divides the number of attention heads of the model and of its drafter.',
  },
  {
    category: 'bad_argument',
    title: 'An argument is not one that this version knows',
    pattern: /: error: unrecognized arguments: (?<unknown>.+)/,
    sample: 'vllm: error: unrecognized arguments: --spec-method dflash',
    remedy: ({ unknown }) =>
      `Compare with the installed version's own \`vllm serve --help=all\`, and look for a typing mistake: it doesn't know \`${unknown}\`.`,
  },
  {
    category: 'bad_argument',
    title: 'An argument was refused',
    pattern:
      /^\S+(?: \S+){0,3}: error: .|can't open file|appears to be a URI|(?:pass|set|requires) .{0,40}trust[_-]remote[_-]code/,
    sample: "vllm serve: error: argument --port: invalid int value: '80a'",
    remedy: () =>
      "Correct the argument that the line names in the recipe's argv; the installed version's `vllm serve --help=all` lists what it takes.",
  },
];
