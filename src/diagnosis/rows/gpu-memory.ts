/** Causes in the GPUs' memory, in a server. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';
import { DRAGGED_DOWN, memoryFacts, numbersOf, OOM_NUMBERS } from './out-of-memory.ts';

const OOM = /out of memory|OutOfMemoryError/i;
export const GPU_MEMORY_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'gpu-memory-taken',
    category: 'cuda_oom',
    title: 'Other processes hold the GPU memory',
    why: 'vLLM wants its share of the whole GPU free at the start; something else, often a former server that was not ended whole, holds too much of it.',
    pattern:
      /Free memory on device (?<device>cuda:\d{1,3} )?\((?<free>[\d.]{1,12})\/(?<total>[\d.]{1,12}) GiB\) on startup is less than desired GPU memory utilization \((?<share>[\d.]{1,12}), (?<wanted>[\d.]{1,12}) GiB\)/,
    samples: [
      'ValueError: Free memory on device (17.34/22.03 GiB) on startup is less than desired GPU memory utilization (0.9, 19.83 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.',
      'ValueError: Free memory on device cuda:0 (1.91/47.40 GiB) on startup is less than desired GPU memory utilization (0.92, 43.6 GiB).',
    ],
    remedy: ({ device, free = '', total = '', share = '', wanted = '' }) =>
      `Find who holds the GPU (\`nvidia-smi\`; an orphaned VLLM::EngineCore or VLLM::Worker is usual) and end it, or lower --gpu-memory-utilization. ${free} of ${total} GiB are free${device === undefined ? '' : ` on ${device.trim()}`}, ${wanted} GiB (--gpu-memory-utilization ${share}) are wanted.`,
    link: PAGES.memory,
    retry: 'may help',
  },
  {
    id: 'gpu-memory-unbalanced',
    category: 'cuda_oom',
    title: 'One GPU has less free memory than the others',
    why: 'All ranks of a tensor-parallel server take the same share; another process holds memory of one of their GPUs.',
    pattern: /memory capacity is unbalanced/,
    samples: [
      'ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. pre_model_load_memory=20.1, local_gpu_memory=78.2',
    ],
    remedy: () =>
      'Find who holds memory there (`nvidia-smi`) and end it, or choose other GPUs in CUDA_VISIBLE_DEVICES.',
    link: null,
    retry: 'may help',
  },
  {
    id: 'memory-profiling-disturbed',
    category: 'cuda_oom',
    title: 'Another process changed the GPU memory while vLLM measured it',
    why: 'vLLM measures what the model takes; a process that ended meanwhile gave memory back, and the figures make no sense.',
    pattern: /Error in memory profiling\./,
    samples: [
      'AssertionError: Error in memory profiling. Initial free memory 20.1 GiB, current free memory 40.2 GiB. This happens when other processes sharing the same container release GPU memory while vLLM is profiling during initialization.',
      'AssertionError: Error in memory profiling. Initial free memory 21474836480, current free memory 43163525120. This happens when the GPU memory was not properly cleaned up before initializing the vLLM instance.',
    ],
    remedy: () =>
      "Wait until `nvidia-smi` shows nobody else on the GPU, then launch again; don't start two servers on one GPU at the same time.",
    link: PAGES.memory,
    retry: 'helps',
  },
  {
    id: 'gpu-oom-warming-up-sampler',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory when the sampler was warmed up',
    why: 'The sampler is tried with as many sequences as --max-num-seqs allows, each with logits of the whole vocabulary.',
    pattern: /out of memory occurred when warming up (?:sampler|pooler) with\s{1,2}(?<seqs>\d{1,6}) dummy requests/,
    samples: [
      'RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine.',
    ],
    remedy: ({ seqs = '' }) =>
      `Lower --max-num-seqs (it is ${seqs}; 64 to 256 is enough for most), or --gpu-memory-utilization by 0.05.`,
    link: PAGES.memory,
    retry: 'no',
    hides: DRAGGED_DOWN,
  },
  {
    id: 'gpu-oom-loading',
    category: 'cuda_oom',
    title: 'The weights do not fit into the GPU memory',
    why: "Each GPU holds its share of the weights (all divided by --tensor-parallel-size x --pipeline-parallel-size), and the drafter's.",
    pattern: OOM_NUMBERS,
    inTraceback: /\bin (?:load_model|create_weights|load_weights|initialize_model|process_weights_after_loading)\b/,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.',
      'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacty of 23.69 GiB of which 1.10 GiB is free.',
    ],
    frame: '  File "/x/vllm/model_executor/layers/linear.py", line 201, in create_weights',
    remedy: (found) =>
      `Raise --tensor-parallel-size, or use a quantized checkpoint; see with \`nvidia-smi\` that nobody else holds the GPU.${numbersOf(found)}`,
    link: PAGES.memory,
    retry: 'no',
    hides: DRAGGED_DOWN,
    endsServer: true,
    facts: memoryFacts,
  },
  {
    id: 'gpu-oom-capturing',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory while CUDA graphs were captured',
    why: 'Graphs take memory beside the KV cache, which has filled its share already.',
    pattern: OOM,
    inTraceback: /\bin (?:capture_model|_?capture_cudagraphs?|capture_graphs?|_dummy_run_and_capture)\b/,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 47.40 GiB of which 21.31 MiB is free.',
    ],
    frame: '  File "/x/vllm/v1/worker/gpu_model_runner.py", line 9, in capture_model',
    remedy: () =>
      'Lower --gpu-memory-utilization by 0.05, or capture fewer sizes (--max-num-seqs, --cudagraph-capture-sizes); --enforce-eager does without graphs.',
    facts: memoryFacts,
    link: PAGES.memory,
    retry: 'no',
    hides: DRAGGED_DOWN,
    endsServer: true,
  },
  {
    id: 'gpu-oom-profiling',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory in the first trial run',
    why: 'The trial runs one batch of --max-num-batched-tokens: its activations come on top of the weights.',
    pattern: OOM,
    inTraceback:
      /\bin (?:profile_run|determine_available_memory|determine_num_available_blocks|profile_cudagraph_memory)\b/,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.64 GiB. GPU 0 has a total capacity of 79.18 GiB of which 2.1 GiB is free.',
    ],
    frame: '  File "/x/vllm/v1/worker/gpu_worker.py", line 9, in determine_available_memory',
    remedy: () =>
      'Lower --max-num-batched-tokens and --max-num-seqs (multimodal: --limit-mm-per-prompt), raise --tensor-parallel-size, or quantize the model.',
    facts: memoryFacts,
    link: PAGES.memory,
    retry: 'no',
    hides: DRAGGED_DOWN,
    endsServer: true,
  },
  {
    id: 'gpu-oom-serving',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory while it served',
    why: 'A batch needed more than the trial run at the start had shown, or another process took memory meanwhile.',
    pattern: OOM,
    inTraceback: /\bin (?:execute_model|sample_tokens|execute_dummy_batch)\b/,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.20 GiB. GPU 0 has a total capacity of 79.18 GiB of which 0.9 GiB is free.',
    ],
    frame: '  File "/x/vllm/v1/worker/gpu_worker.py", line 9, in execute_model',
    remedy: () =>
      'Lower --gpu-memory-utilization by 0.05, --max-num-batched-tokens or --max-num-seqs, and keep other processes off the GPU; then launch again.',
    facts: memoryFacts,
    link: PAGES.memory,
    retry: 'may help',
    hides: DRAGGED_DOWN,
    endsServer: true,
  },
  {
    id: 'gpu-oom',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory',
    why: 'What was to be allocated does not fit beside what the GPU holds already.',
    pattern: OOM_NUMBERS,
    samples: [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.',
      'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.76 GiB total capacity; 9.8 GiB already allocated)',
    ],
    remedy: (found) => `${LESS_MEMORY}${numbersOf(found)}`,
    link: PAGES.memory,
    retry: 'may help',
    hides: DRAGGED_DOWN,
    endsServer: true,
    facts: memoryFacts,
  },
  {
    id: 'gpu-oom-without-numbers',
    category: 'cuda_oom',
    title: 'The GPU ran out of memory',
    why: 'A library, not torch, asked the GPU for memory and got none.',
    pattern:
      /OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED|cudaErrorMemoryAllocation|\b(?:CUDA|HIP|GPU) [^\n]{0,60}out of memory|CUDA_ERROR_OUT_OF_MEMORY|not enough GPU memory/i,
    samples: [
      'RuntimeError: CUDA error: out of memory',
      'RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`',
    ],
    remedy: () => LESS_MEMORY,
    link: PAGES.memory,
    retry: 'may help',
    hides: DRAGGED_DOWN,
    endsServer: true,
  },
];

const LESS_MEMORY =
  'See with `nvidia-smi` whether another process holds that GPU. Else raise --tensor-parallel-size, quantize, or lower --max-num-seqs, --max-model-len or --gpu-memory-utilization.';
