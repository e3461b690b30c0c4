/**
 * What vLLM prints on its way up and down, in the order of a start. Facts from vllm-project/vllm at 0.6 to 0.28; texts are matched, never
 * `file.py:line`, which move with each commit. To add a row: put the message as printed into `sample` and what it starts with into `starts`.
 */

import { fact, phase, progress, type Rule } from './rule.ts';

const configuring = () => [phase('configuring')];
const connecting = () => [phase('connecting')];
const loading = () => [phase('loading')];
const compiling = () => [phase('compiling')];
const kvCache = () => [phase('kv_cache')];
const capturing = () => [phase('capturing')];
const shutdown = () => [{ kind: 'shutdown' } as const];

function row(sample: string, find: Rule['find'], more: Partial<Rule> = {}): Rule {
  return { sample, starts: [sample], find, ...more };
}

export const VLLM_RULES: readonly Rule[] = [
  row('Automatically detected platform cuda.', configuring, { starts: ['Automatically detected platform'] }),
  row('vLLM API server version 0.11.0', ([, version = '']) => [phase('configuring'), fact('version', version)], {
    starts: ['vLLM API server version', 'vLLM server version'],
    pattern: /version (\S+)/,
    engine: 'vllm',
    isStart: true,
  }),
  row(
    ' ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.20.1',
    ([, version = '']) => [phase('configuring'), fact('version', version)],
    {
      starts: [' ', '▄', '█', '▀'],
      pattern: /[▄█▀].*\bversion (\d\S*)\s*$/,
      engine: 'vllm',
      isStart: true,
    },
  ),
  row("non-default args: {'model': '/m', 'api_server_count': 2}", ([, count]) => servers(count), {
    starts: ['non-default args: {'],
    pattern: /(?:'api_server_count': (\d+))?.*$/,
  }),
  row("args: Namespace(host='0.0.0.0', port=8000)", configuring, { starts: ['args: Namespace('] }),
  row('Resolved architecture: Qwen3ForCausalLM', configuring, { starts: ['Resolved architecture'] }),
  row("This model supports multiple tasks: {'generate'}.", configuring, {
    starts: ['This model supports multiple tasks'],
  }),
  row('Using max model len 32768', configuring, { starts: ['Using max model len'] }),
  row('Chunked prefill is enabled with max_num_batched_tokens=2048.', configuring, { starts: ['Chunked prefill is'] }),
  row('Waiting for init message from front-end.', configuring),
  row(
    "Initializing a V1 LLM engine (v0.20.1) with config: model='/m'",
    ([, version = '']) => [phase('configuring'), fact('version', version)],
    {
      starts: ['Initializing a V1 LLM engine', 'Initializing a V0 LLM engine', 'Initializing an LLM engine'],
      pattern: /\(v([^)]+)\)/,
    },
  ),
  row('DP group leader: node_rank=0, world_size=2', connecting, { starts: ['DP group leader:'] }),
  row('world_size=2 rank=1 local_rank=1 distributed_init_method=tcp://127.0.0.1:4 backend=nccl', worldSize, {
    starts: ['world_size='],
    pattern: /^world_size=(\d+) rank=\d+/,
  }),
  row('rank 0 in world size 2 is assigned as DP rank 0, PP rank 0', worldSize, {
    starts: ['rank '],
    pattern: /^rank \d+ in world size (\d+)/,
  }),
  row('[Gloo] Rank 0 is connected to 1 peer ranks.', connecting, { starts: ['[Gloo] '] }),
  row('Found nccl from library libnccl.so.2', connecting, { starts: ['Found nccl from library'] }),
  row('vLLM is using nccl==2.28.9+cuda12.9', ([, version = '']) => [phase('connecting'), fact('nccl', version)], {
    starts: ['vLLM is using nccl=='],
    pattern: /nccl==([\d.]+)/,
  }),
  row('Starting to load model /models/Qwen3-32B...', loading, { starts: ['Starting to load model'] }),
  row('Loading model from scratch...', loading),
  row('Loading drafter model...', loading),
  row('Loading weights took 9.47 seconds', loading, { starts: ['Loading weights took', 'Loading model weights took'] }),
  row('Time spent downloading weights for org/m: 53.1 seconds', () => [phase('downloading')], {
    starts: ['Time spent downloading weights'],
  }),
  row(
    'Model loading took 16.42 GiB memory and 12.795163 seconds',
    ([, seconds = '']) => [phase('loading'), fact('model_load_seconds', Number(seconds))],
    {
      starts: ['Model loading took'],
      pattern: /and ([\d.]+) sec/,
    },
  ),
  row("Using cache directory: /c/backbone for vLLM's torch.compile", compiling, {
    starts: ['Using cache directory:'],
    pattern: /torch\.compile/,
  }),
  row('Dynamo bytecode transform time: 8.12 s', compiling, { starts: ['Dynamo bytecode transform time'] }),
  row('Directly load the compiled graph(s) for compile range (1, 8192) from the cache, took 3.116 s', compiling, {
    starts: [
      'Directly load the compiled',
      'Directly load AOT compilation',
      'saved AOT compiled function',
      'Reusing AOT',
    ],
  }),
  row('Compiling a graph for compile range (1, 8192) takes 21.77 s', compiling, {
    starts: ['Compiling a graph', 'Cache the graph', 'Start compiling function', 'Compiling model with'],
  }),
  row('torch.compile took 36.92 s in total', compiling, { starts: ['torch.compile took', 'torch.compile takes'] }),
  row('Initial profiling/warmup run took 9.18 s', compiling, { starts: ['Initial profiling/warmup run'] }),
  row('[Autotuner]: Autotuning process starts ...', compiling, {
    starts: ['[Autotuner]', '[AutoTuner]', 'Autotuning process'],
  }),
  row('Warming up FlashInfer attention.', compiling, {
    starts: ['Warming up ', 'Running FlashInfer autotune'],
    pattern: /FlashInfer|kernel|JIT|CuTe|DeepGEMM/i,
  }),
  row('Memory profiling takes 6.42 seconds', kvCache, {
    starts: ['Memory profiling takes', 'Memory profiling results'],
  }),
  row('Profiling CUDA graph memory: PIECEWISE=11 (largest=64)', kvCache, {
    starts: ['Profiling CUDA graph memory', 'Estimated CUDA graph memory'],
  }),
  row('Available KV cache memory: 3.06 GiB', kvCache, { starts: ['Available KV cache memory'] }),
  row(
    'GPU KV cache size: 196,112 tokens',
    ([, tokens = '']) => [phase('kv_cache'), fact('kv_cache_tokens', Number(tokens.replaceAll(',', '')))],
    {
      starts: ['GPU KV cache size:'],
      pattern: /size: ([\d,]+) tokens/,
    },
  ),
  row('# GPU blocks: 3817, # CPU blocks: 1365', kvCache, {
    starts: ['# GPU blocks', '# cuda blocks', '# CUDA blocks'],
  }),
  row('Maximum concurrency for 65,536 tokens per request: 12.40x', kvCache, { starts: ['Maximum concurrency for'] }),
  row('Graph capturing finished in 5 secs, took 0.29 GiB', capturing, { starts: ['Graph capturing finished'] }),
  row('Capturing the model for CUDA graphs. This may lead to', capturing, {
    starts: ['Capturing the model for CUDA graphs', 'Capturing cudagraphs for decoding', 'Capturing model for '],
  }),
  row('Starting vLLM API server 0 on http://0.0.0.0:8040', ([, url = '']) => [fact('url', url)], {
    starts: ['Starting vLLM '],
    pattern: /^Starting vLLM (?:API )?server(?: \d+)? on (\S+)/,
  }),
  row('Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)', ([, url = '']) => [fact('url', url)], {
    starts: ['Uvicorn running on'],
    pattern: /on (\S+)/,
  }),
  row('Application startup complete.', () => [{ kind: 'ready' }], {
    pattern: /^Application startup complete\.?\s*$/,
    engine: 'vllm',
  }),
  row('Shutting down', shutdown, { pattern: /^Shutting down(?: FastAPI HTTP server\.?)?\s*$/ }),
  row('Waiting for application shutdown.', shutdown),
  row('[shutdown] API server: shutdown triggered', shutdown, {
    starts: ['[shutdown] API server: shut', '[shutdown] EngineCore: trigger'],
  }),
];

function worldSize([, size = '']: RegExpMatchArray): ReturnType<Rule['find']> {
  return [phase('connecting'), fact('world_size', Number(size))];
}

function servers(count: string | undefined): ReturnType<Rule['find']> {
  return count === undefined ? configuring() : [phase('configuring'), fact('api_servers', Number(count))];
}

export const BAR_RULES: readonly Rule[] = [
  {
    sample: 'Loading safetensors checkpoint shards:  80% Completed | 12/15 [00:09<00:02,  1.3s/it]',
    starts: ['Loading ', 'Multi-thread loading'],
    pattern: /^(?:Loading|Multi-thread loading) .*?: +\d+% Completed \| (?<done>\d+)\/(?<total>\d+) \[/,
    find: (match) => [phase('loading'), progress('loading', match)],
  },
  {
    sample: 'Capturing CUDA graphs (decode, FULL):  50%|█████     | 4/8 [00:01<00:00,  4.7it/s]',
    starts: ['Capturing '],
    pattern:
      /^Capturing (?:\w[\w -]*)?(?:CUDA graph|batches|num tokens)[^|]*: +\d+%\|.*?\| (?<done>\d+)\/(?<total>\d+) \[/,
    find: (match) => [phase('capturing'), progress('capturing', match)],
  },
  {
    sample: 'DeepGEMM warmup:   0%|          | 3/9216 [00:11<9:23:01,  3.67s/it]',
    starts: ['DeepGEMM warmup', '[AutoTuner]', '[Autotuner]', 'DeepGEMM'],
    pattern: /(?:warmup|Tuning).{0,200}?: +\d+%\|.*?\| (?<done>\d+)\/(?<total>\d+) \[/i,
    find: (match) => [phase('compiling'), progress('compiling', match)],
  },
];
