/** What SGLang prints otherwise than vLLM (sgl-project/sglang). Its uvicorn is up before its first answer: only "fired up" is ready. */

import { fact, phase, type Rule } from './rule.ts';

export const SGLANG_RULES: readonly Rule[] = [
  {
    sample: "server_args=ServerArgs(model_path='/m')",
    starts: ['server_args=ServerArgs('],
    engine: 'sglang',
    isStart: true,
    find: () => [phase('configuring')],
  },
  {
    sample: 'Init torch distributed begin.',
    starts: ['Init torch distributed'],
    engine: 'sglang',
    find: () => [phase('connecting')],
  },
  {
    sample: 'sglang is using nccl==2.27.5',
    starts: ['sglang is using nccl=='],
    pattern: /nccl==([\d.]+)/,
    engine: 'sglang',
    find: ([, version = '']) => [phase('connecting'), fact('nccl', version)],
  },
  {
    sample: 'Load weight begin. avail mem=78.31 GB',
    starts: ['Load weight begin'],
    engine: 'sglang',
    find: () => [phase('loading')],
  },
  {
    sample: 'Load weight end. elapsed=11.72 s, type=Qwen3ForCausalLM',
    starts: ['Load weight end'],
    pattern: /elapsed=([\d.]+) ?s/,
    find: ([, seconds = '']) => [phase('loading'), fact('model_load_seconds', Number(seconds))],
  },
  {
    sample: 'KV Cache is allocated. #tokens: 391204, K size: 23.88 GB',
    starts: ['KV Cache is allocated'],
    pattern: /#tokens: (\d+)/,
    find: ([, tokens = '']) => [phase('kv_cache'), fact('kv_cache_tokens', Number(tokens))],
  },
  {
    sample: 'Memory pool end. avail mem=12.61 GB',
    starts: ['Memory pool end'],
    find: () => [phase('kv_cache')],
  },
  {
    sample: 'Entering DeepGEMM JIT Pre-Compile session.',
    starts: ['Entering DeepGEMM JIT', 'DeepGEMM JIT'],
    find: () => [phase('compiling')],
  },
  {
    sample: 'Capture cuda graph begin. This can take up to several minutes.',
    starts: ['Capture cuda graph'],
    find: () => [phase('capturing')],
  },
  {
    sample: 'The server is fired up and ready to roll!',
    starts: ['The server is fired up and ready to roll'],
    engine: 'sglang',
    find: () => [{ kind: 'ready' }],
  },
];
