/** What SGLang prints otherwise than vLLM (sgl-project/sglang, 0.3 to 0.5.18). Its uvicorn is up before its first answer: only "fired up" is ready. */

import { readServerArgs } from '../engine/lines.ts';
import { type Finding, fact, phase, type Rule, row } from './rule.ts';

const connecting = () => [phase('connecting')];
const loading = () => [phase('loading')];
const compiling = () => [phase('compiling')];
const kvCache = () => [phase('kv_cache')];
const capturing = () => [phase('capturing')];
const shutdown = () => [{ kind: 'shutdown' } as const];

export const SGLANG_RULES: readonly Rule[] = [
  row("server_args=ServerArgs(model_path='/m')", serverArgs, {
    starts: ['server_args=ServerArgs('],
    engine: 'sglang',
    isStart: true,
  }),
  row('Init torch distributed begin.', connecting, {
    starts: ['Init torch distributed', 'Init nccl begin'],
    engine: 'sglang',
  }),
  row('sglang is using nccl==2.27.5', ([, version = '']) => [phase('connecting'), fact('nccl', version)], {
    starts: ['sglang is using nccl=='],
    pattern: /nccl==([\d.]{1,20})/,
    engine: 'sglang',
  }),
  row('NCCL/RCCL warmup completed in 1.32s (tp_size=2, pp_size=1, ep_size=1)', connecting, {
    starts: ['NCCL/RCCL warmup completed', 'NCCL/RCCL/HCCL warmup completed'],
    engine: 'sglang',
  }),
  row('Load weight begin. avail mem=78.31 GB', loading, { starts: ['Load weight begin'], engine: 'sglang' }),
  row(
    'Load weight end. elapsed=11.72 s, type=Qwen3ForCausalLM',
    ([, seconds = '']) => [phase('loading'), fact('model_load_seconds', Number(seconds))],
    {
      starts: ['Load weight end'],
      pattern: /elapsed=(\d{1,9}(?:\.\d{0,12})?) ?s/,
      engine: 'sglang',
    },
  ),
  row('Load weight end. type=Qwen2ForCausalLM, dtype=torch.bfloat16, avail mem=64.2 GB', loading, {
    starts: ['Load weight end', 'Loading weights from remote '],
    engine: 'sglang',
  }),
  row('KV Cache is allocated. #tokens: 391204, K size: 23.88 GB', tokens, {
    starts: ['KV Cache is allocated', 'Post-capture KV sizing: KV cache allocated'],
    pattern: /#tokens: (\d{1,12})/,
  }),
  // All versions print it, older ones no other size.
  row('max_total_num_tokens=391204, chunked_prefill_size=8192, max_prefill_tokens=16384', tokens, {
    starts: ['max_total_num_tokens='],
    pattern: /^max_total_num_tokens=(\d{1,12})/,
  }),
  row('Memory pool end. avail mem=12.61 GB', kvCache, {
    starts: ['Memory pool end', 'Mamba Cache is allocated', 'SWAKVPool mem usage', 'KV Cache VA upper bound'],
  }),
  row('Entering DeepGEMM JIT Pre-Compile session.', compiling, {
    starts: ['Entering DeepGEMM JIT', 'DeepGEMM JIT', 'Try DeepGEMM JIT Compiling', 'PP-parallel DeepGEMM warmup'],
  }),
  row('Capture cuda graph begin. This can take up to several minutes.', capturing, {
    starts: ['Capture '],
    pattern: /^Capture [\w -]{0,60}(?:graph|draft extend) (?:begin|end|bs|num tokens)/i,
  }),
  row('The server is fired up and ready to roll!', () => [{ kind: 'ready' }], {
    starts: ['The server is fired up and ready to roll'],
    engine: 'sglang',
  }),
  row('SIGTERM received. signum=None frame=None. Draining requests and shutting down...', shutdown, {
    starts: ['SIGTERM received.', 'Gracefully exiting...'],
    engine: 'sglang',
  }),
];

function serverArgs({ input = '' }: RegExpMatchArray): readonly Finding[] {
  const config = readServerArgs(input);
  return config === null ? [phase('configuring')] : [phase('configuring'), { kind: 'engine', version: null, config }];
}

function tokens([, count = '']: RegExpMatchArray): readonly Finding[] {
  return [phase('kv_cache'), fact('kv_cache_tokens', Number(count))];
}
