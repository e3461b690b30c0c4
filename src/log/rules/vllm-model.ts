/** What vLLM says while it gets a model ready: weights, compilation, memory, graphs. In the order of a start; how to add a row: vllm.ts. */

import { fact, phase, type Rule, row } from './rule.ts';

const downloading = () => [phase('downloading')];
const loading = () => [phase('loading')];
const compiling = () => [phase('compiling')];
const kvCache = () => [phase('kv_cache')];
const capturing = () => [phase('capturing')];

export const VLLM_MODEL_RULES: readonly Rule[] = [
  row('Starting to load model /models/Qwen3-32B...', loading, { starts: ['Starting to load model'] }),
  row('Loading model from scratch...', loading),
  row('Loading drafter model...', loading),
  row(
    'Using auxiliary layers from speculative config: (2, 17, 32, 47, 62)',
    ([, ids = '']) => [fact('draft_layers', ids.replace(/,$/, ''))],
    {
      starts: ['Using auxiliary layers from speculative config: ', 'Using Eagle3 auxiliary layers from config: '],
      pattern: /config: \((\d[\d, ]{0,200})\)/,
    },
  ),
  row('Using model weights format ["*.safetensors"]', loading, { starts: ['Using model weights format'] }),
  row('Prefetching checkpoint files into page cache started (in background)', loading, {
    starts: ['Prefetching checkpoint files', 'Filesystem type for checkpoints'],
  }),
  row('Loading weights with BitsAndBytes quantization. May take a while ...', loading, {
    starts: ['Loading weights with ', 'Discovered ', 'Deserialized ', '[RunAI Streamer]'],
    pattern: /^(?:Loading weights with BitsAndBytes|Discovered \d+ GGUF|Deserialized .{1,60} in |\[RunAI Streamer\])/,
  }),
  row('Loading weights took 9.47 seconds', loading, { starts: ['Loading weights took', 'Loading model weights took'] }),
  row('Time spent downloading weights for org/m: 53.1 seconds', downloading, {
    starts: ['Time spent downloading weights'],
  }),
  row(
    'Model loading took 16.42 GiB memory and 12.795163 seconds',
    ([, seconds = '']) => [phase('loading'), fact('model_load_seconds', Number(seconds))],
    {
      starts: ['Model loading took'],
      pattern: /and (\d{1,9}(?:\.\d{0,12})?) sec/,
    },
  ),
  row("Using cache directory: /c/backbone for vLLM's torch.compile", compiling, {
    starts: ['Using cache directory:'],
    pattern: /torch\.compile/,
  }),
  row("vLLM's torch.compile cache is disabled.", compiling, { starts: ["vLLM's torch.compile cache is disabled"] }),
  row('Dynamo bytecode transform time: 8.12 s', compiling, { starts: ['Dynamo bytecode transform time'] }),
  row('Directly load the compiled graph(s) for compile range (1, 8192) from the cache, took 3.116 s', compiling, {
    starts: ['Directly load the compiled', 'Directly load AOT compilation', 'Reusing AOT'],
  }),
  row('saved AOT compiled function to /c/model', compiling, {
    starts: ['saved AOT compiled function', 'saving AOT compiled function', 'Saved compiler manager cache'],
  }),
  row('reconstructed serializable fn from standalone compile artifacts. num_artifacts=65 num_submods=33', compiling, {
    starts: ['reconstructed serializable fn', 'reconstructing serializable fn', 'collected artifacts: '],
  }),
  row('Compiling a graph for compile range (1, 8192) takes 21.77 s', compiling, {
    starts: ['Compiling a graph', 'Cache the graph', 'Start compiling function', 'Compiling model with'],
  }),
  // A TPU has no other sign of it.
  row('Compiling the model with different input shapes.', compiling, {
    starts: ['Compiling ', 'Compilation '],
    pattern: /^(?:Compiling .{1,80} with different input shapes|Compilation (?:finished in|for .{1,30} done in) )/,
  }),
  row('torch.compile took 36.92 s in total', compiling, { starts: ['torch.compile took', 'torch.compile takes'] }),
  row('Initial profiling/warmup run took 9.18 s', compiling, { starts: ['Initial profiling/warmup run'] }),
  row(
    'SingleProcess AUTOTUNE benchmarking takes 0.41 seconds and 0.32 seconds precompiling for 19 choices',
    compiling,
    {
      starts: ['AUTOTUNE ', 'SingleProcess AUTOTUNE', 'SubProcess AUTOTUNE'],
    },
  ),
  row('[Autotuner]: Autotuning process starts ...', compiling, {
    starts: ['[Autotuner]', '[AutoTuner]', 'Autotuning process', 'Autotuning FlashInfer'],
  }),
  row('Warming up FlashInfer attention.', compiling, {
    starts: ['Warming up ', 'Running FlashInfer autotune'],
    pattern: /FlashInfer|kernel|JIT|CuTe|DeepGEMM|for the compilation|attention/i,
  }),
  row('Using FlashInfer autotune cache file: /c/autotune.json', compiling, {
    starts: ['Using FlashInfer autotune cache', 'FlashInfer autotune c'],
  }),
  row('DeepSeek V4 mHC TileLang warmup finished in 12.40 seconds.', compiling, {
    starts: ['DeepSeek V4 mHC TileLang warmup', 'Warmed up '],
    pattern: /warmup finished|^Warmed up \d+ .{1,60} signatures/,
  }),
  row('Compile and warming up model for size 8', compiling, { starts: ['Compile and warming up model for size'] }),
  row('Memory profiling takes 6.42 seconds', kvCache, {
    starts: ['Memory profiling takes', 'Memory profiling results'],
  }),
  row('Profiling CUDA graph memory: PIECEWISE=11 (largest=64)', kvCache, {
    starts: ['Profiling CUDA graph memory', 'Estimated CUDA graph memory'],
  }),
  row('Available KV cache memory: 3.06 GiB', kvCache, { starts: ['Available KV cache memory'] }),
  row('Initial free memory 78.61 GiB, reserved 40.00 GiB memory for KV Cache as specified by', kvCache, {
    starts: ['Initial free memory '],
    pattern: /^Initial free memory \S{1,20} GiB, reserved \S{1,20} GiB memory for KV Cache/,
  }),
  row('Auto-fit max_model_len: reduced from 262144 to 81920 to fit in available GPU memory', kvCache, {
    starts: ['Auto-fit max_model_len:', 'Overriding num_gpu_blocks=', 'Multiplying the GPU KV cache size'],
  }),
  row('Applying persisted startup plan (fingerprint 3f9a): kv_cache_memory_bytes=42949672960', kvCache, {
    starts: ['Applying persisted startup plan', 'Startup plan not applied'],
  }),
  row(
    'GPU KV cache size: 196,112 tokens',
    ([, tokens = '']) => [phase('kv_cache'), fact('kv_cache_tokens', Number(tokens.replaceAll(',', '')))],
    {
      starts: ['GPU KV cache size:', 'CPU KV cache size:', 'KV cache size:'],
      pattern: /size: ([\d,]{1,20}) tokens/,
    },
  ),
  // The name of the platform stands there: GPU, cuda, rocm, cpu, hpu, TPU ...
  row('# GPU blocks: 3817, # CPU blocks: 1365', kvCache, { starts: ['# '], pattern: /^# \w{2,12} blocks: \d/ }),
  row('Maximum concurrency for 65,536 tokens per request: 12.40x', kvCache, { starts: ['Maximum concurrency for'] }),
  row('Graph capturing finished in 5 secs, took 0.29 GiB', capturing, {
    starts: ['Graph capturing finished', 'Encoder CUDA graph capture complete', 'CUDA graph pool memory: '],
  }),
  row('Capturing the model for CUDA graphs. This may lead to', capturing, {
    starts: ['Capturing the model for CUDA graphs', 'Capturing cudagraphs for decoding', 'Capturing model for '],
  }),
];
