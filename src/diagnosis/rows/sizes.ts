/** Causes in the sizes that were asked for: tokens, lengths, the KV cache. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import { type DiagnosisRow, grouped } from '../row.ts';

export const SIZE_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'batched-tokens-below-model-len',
    category: 'batched_tokens_too_small',
    title: 'max_num_batched_tokens is smaller than max_model_len',
    why: 'Without chunked prefill a whole prompt must fit into one batch, so a batch may not be smaller than the longest prompt.',
    pattern: /max_num_batched_tokens \((?<tokens>\d+)\) is smaller than max_model_len \((?<length>\d+)\)/,
    samples: [
      'pydantic_core._pydantic_core.ValidationError: Value error, max_num_batched_tokens (8192) is smaller than max_model_len (32768). This effectively limits the maximum sequence length to max_num_batched_tokens',
      'ValueError: max_num_batched_tokens (2048) is smaller than max_model_len (4096).',
    ],
    remedy: ({ tokens = '', length = '' }) =>
      `Raise --max-num-batched-tokens from ${tokens} to at least ${length}, lower --max-model-len to ${tokens}, or leave chunked prefill on.`,
    link: PAGES.optimization,
    retry: 'no',
  },
  {
    id: 'batched-tokens-below-seqs',
    category: 'batched_tokens_too_small',
    title: 'max_num_batched_tokens is smaller than max_num_seqs',
    why: 'Each sequence of a batch needs at least one token in it.',
    pattern:
      /max_num_batched_tokens(?: \((?<tokens>\d+)\))? must be greater than or equal to max_num_seqs(?: \((?<seqs>\d+)\))?/,
    samples: ['ValueError: max_num_batched_tokens (128) must be greater than or equal to max_num_seqs (256).'],
    remedy: ({ tokens, seqs }) =>
      `Raise --max-num-batched-tokens${seqs === undefined ? '' : ` to ${seqs} or more`}, or lower --max-num-seqs${tokens === undefined ? '' : ` to ${tokens} or less`}.`,
    link: PAGES.optimization,
    retry: 'no',
  },
  {
    id: 'no-tokens-beside-drafts',
    category: 'batched_tokens_too_small',
    title: 'Too few batched tokens for the speculative slots',
    why: 'A drafter that drafts in parallel reserves slots in each batch for every sequence; nothing is left to schedule.',
    pattern: /max_num_scheduled_tokens is set to\s{1,3}(?<left>-?\d+)|does not allow any tokens to be scheduled/,
    samples: [
      'ValueError: max_num_scheduled_tokens is set to -1792 based on the speculative decoding settings, which does not allow any tokens to be scheduled. Increase max_num_batched_tokens to accommodate the additional draft token slots, or decrease num_speculative_tokens or max_num_seqs.',
    ],
    remedy: ({ left }) =>
      `Raise --max-num-batched-tokens (32768 is usual with DFlash), or lower --max-num-seqs or num_speculative_tokens: a drafter reserves slots for each sequence.${left === undefined ? '' : ` As it is, ${left} tokens are left for a batch.`}`,
    link: PAGES.speculation,
    retry: 'no',
  },
  {
    id: 'batched-tokens-below-multimodal-item',
    category: 'batched_tokens_too_small',
    title: 'One image or video is larger than a batch',
    why: 'This model takes a multimodal item in one piece, and its largest one has more tokens than a batch may have.',
    pattern:
      /Chunked MM input disabled but max_tokens_per_mm_item \((?<item>\d+)\) is larger than max_num_batched_tokens \((?<tokens>\d+)\)/,
    samples: [
      'ValueError: Chunked MM input disabled but max_tokens_per_mm_item (16384) is larger than max_num_batched_tokens (2048). Please increase max_num_batched_tokens.',
    ],
    remedy: ({ item = '', tokens = '' }) =>
      `Raise --max-num-batched-tokens from ${tokens} to at least ${item}, or run the model for text alone (--limit-mm-per-prompt, --language-model-only).`,
    link: PAGES.optimization,
    retry: 'no',
  },
  {
    id: 'batched-tokens-too-small',
    category: 'batched_tokens_too_small',
    title: 'max_num_batched_tokens is too small',
    why: 'A batch must hold what the other settings ask for.',
    pattern: /max_num_batched_tokens\b.{0,200}(?:too small|must be (?:greater|larger|at least|>=))/s,
    samples: ['ValueError: max_num_batched_tokens=16 is too small for block size 784'],
    remedy: () => 'Raise --max-num-batched-tokens (8192 and more is usual), or lower --max-num-seqs.',
    link: PAGES.optimization,
    retry: 'no',
  },
  {
    id: 'kv-cache-below-model-len',
    category: 'kv_cache_too_small',
    title: 'The KV cache is too small for max_model_len',
    why: 'What weights, activations and graphs leave of the GPU memory that vLLM may use does not hold one request of the full length.',
    pattern:
      /(?:max seq len \((?<length>\d{1,12})\),? )?\(?(?<needed>[\d.]{1,12}) ?GiB KV cache is needed, which is larger than the available KV cache memory \((?<available>-?[\d.]{1,12}) ?GiB\)(?:.{0,80}estimated maximum model length is (?<possible>\d{1,12}))?/s,
    samples: [
      "ValueError: To serve at least one request with the models's max seq len (262144), (16.0 GiB KV cache is needed, which is larger than the available KV cache memory (9.3 GiB). Based on the available memory, the estimated maximum model length is 152064. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
      "ValueError: To serve at least one request with the model's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (12.31 GiB). Try increasing `gpu_memory_utilization` (which also controls CPU memory on the CPU backend)",
    ],
    remedy: ({ length, needed = '', available = '', possible }) => {
      const lower = possible === undefined ? 'Lower --max-model-len' : `Set --max-model-len ${possible} or less`;
      const fits = possible === undefined ? '' : `: at most ${grouped(possible)} fits`;
      const asked = length === undefined ? 'One full request' : `max_model_len ${length}`;
      return `${lower}, raise --gpu-memory-utilization, or spread the model over more GPUs (--tensor-parallel-size). ${asked} needs ${needed} GiB of KV cache, ${available} are available${fits}.`;
    },
    link: PAGES.memory,
    retry: 'no',
  },
  {
    id: 'kv-cache-below-model-len-v0',
    category: 'kv_cache_too_small',
    title: 'The KV cache holds fewer tokens than max_model_len',
    why: 'What weights and activations leave of the GPU memory that vLLM may use does not hold one request of the full length.',
    pattern:
      /max seq len \((?<length>\d{1,12})\) is larger than the maximum number of tokens that can be stored in KV cache \((?<possible>\d{1,12})\)/,
    samples: [
      "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (39904). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
    ],
    remedy: ({ length = '', possible = '' }) =>
      `Set --max-model-len ${possible} or less, raise --gpu-memory-utilization, or use more GPUs (--tensor-parallel-size). max_model_len is ${grouped(length)}, at most ${grouped(possible)} tokens fit.`,
    link: PAGES.memory,
    retry: 'no',
  },
  {
    id: 'kv-cache-no-memory',
    category: 'kv_cache_too_small',
    title: 'No memory is left for the KV cache',
    why: 'Weights, activations and graphs alone fill the share of the GPU memory that vLLM may use.',
    pattern:
      /No available memory for the cache blocks|Cannot auto-fit max_model_len: not enough GPU memory|Available KV cache memory is (?:negative|not enough)|number of GPU blocks must be (?:positive|greater than)/,
    samples: [
      'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
      'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine (this flag also controls CPU memory reservation on the CPU backend, despite its name).',
    ],
    remedy: () =>
      'Raise --gpu-memory-utilization, lower --max-num-batched-tokens or --max-num-seqs, quantize the model, or use more GPUs (--tensor-parallel-size).',
    link: PAGES.memory,
    retry: 'no',
  },
  {
    id: 'kv-cache-no-memory-sglang',
    category: 'kv_cache_too_small',
    title: "No memory is left for SGLang's KV cache",
    why: 'Weights and reserved memory fill the GPU: the token pool would be empty.',
    pattern: /Not enough memory\. Please try to increase --mem-fraction-static/,
    samples: [
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.8',
    ],
    remedy: () =>
      'Raise --mem-fraction-static, quantize the model, or use more GPUs (--tp); see first with `nvidia-smi` that nobody else holds the GPU.',
    link: PAGES.sglangMemory,
    retry: 'no',
  },
  {
    id: 'model-len-above-derived',
    category: 'bad_argument',
    title: 'max_model_len is longer than the model allows',
    why: "The model's config.json names a shorter longest context; positions beyond it give wrong output.",
    pattern:
      /User-specified max_model_len \((?<asked>\d{1,12})\) is greater than the derived max_model_len \([^=)]{0,80}=?(?<allowed>\d{1,12})?/,
    samples: [
      "ValueError: User-specified max_model_len (65536) is greater than the derived max_model_len (max_position_embeddings=40960 or model_max_length=None in model's config.json).",
      "pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig\n  Value error, User-specified max_model_len (65536) is greater than the derived max_model_len (max_position_embeddings=40960.0 or model_max_length=None in model's config.json).",
    ],
    remedy: ({ asked = '', allowed }) =>
      `Lower --max-model-len${allowed === undefined ? '' : ` to ${allowed} or less (the model's config.json)`}, or set rope scaling on purpose (--hf-overrides). It is ${asked}.`,
    link: PAGES.arguments,
    retry: 'no',
  },
];
