import { describe, expect, it } from 'vitest';
import { askedBy } from '../../src/log/engine/argv.ts';
import { compareEngine } from '../../src/log/engine/compare.ts';

describe('what a command line asks for', () => {
  it.each([
    ['vllm serve /m --max-model-len 32k -tp 2', { model: '/m', max_model_len: '32k', tensor_parallel_size: '2' }],
    ['vllm serve --enforce-eager --port=80 --seed -1', { enforce_eager: true, port: '80', seed: '-1' }],
    [
      'vllm serve /m --no-enable-prefix-caching --trust_remote_code',
      { model: '/m', enable_prefix_caching: false, trust_remote_code: true },
    ],
    ['python -m vllm.entrypoints.openai.api_server --model o/m --dtype half', { model: 'o/m', dtype: 'half' }],
    [
      'vllm serve /m -sc {"method":"dflash"} -sc.model=/d',
      { model: '/m', speculative_config: { method: 'dflash', model: '/d' } },
    ],
    [
      'vllm serve /m --speculative-config.num_speculative_tokens 7',
      { model: '/m', speculative_config: { num_speculative_tokens: '7' } },
    ],
    ['vllm serve /m --hf-overrides {broken', { model: '/m', hf_overrides: '{broken' }],
    ['sh -c true', {}],
  ])('%s', (line, asked) => {
    expect(askedBy(line.split(' '))).toEqual(asked);
  });

  it('holds JSON values whole, and the last word of two', () => {
    const argv = [
      'vllm',
      'serve',
      '/m',
      '--speculative-config',
      '{"method": "dflash", "n": [1]}',
      '--seed',
      '1',
      '--seed=2',
    ];
    expect(askedBy(argv)).toEqual({ model: '/m', speculative_config: { method: 'dflash', n: [1] }, seed: '2' });
  });
});

describe('the engine', () => {
  const config = {
    model: '/m',
    served_model_name: 'qwen',
    max_seq_len: 32768,
    dtype: 'torch.bfloat16',
    quantization: 'awq_marlin',
    kv_cache_dtype: 'fp8_ds_mla',
    load_format: 'LoadFormat.AUTO',
    tensor_parallel_size: 2,
    data_parallel_size: 1,
    enforce_eager: true,
    enable_prefix_caching: false,
    chunked_prefill_enabled: true,
    seed: 0,
    tokenizer_revision: 'v2',
    dcp_comm_backend: 'ag_rs',
    speculative_config: { method: 'dflash', model: '/d', num_spec_tokens: 7 },
    compilation_config: { cudagraph_mode: 'CUDAGraphMode.PIECEWISE', mode: 'CompilationMode.VLLM_COMPILE' },
  };
  const compared = (line: string, got: Parameters<typeof compareEngine>[1] = config) =>
    compareEngine(askedBy(line.split(' ')), got);

  it.each([
    '--max-model-len 32768 --max-model-len 32K -tp 2 --dtype bfloat16 -q awq --kv-cache-dtype fp8',
    '--max-model-len -1 --dtype auto --quantization awq_marlin --load-format auto --seed 0',
    '--served-model-name qwen other --enforce-eager --no-enable-prefix-caching --enable-chunked-prefill',
    '--spec-method dflash --spec-model /d --spec-tokens 7 -cc.cudagraph_mode PIECEWISE',
    '--data-parallel-size 4 --some-new-flag 3 --tensor-parallel-size=$TP',
    'vllm serve o/m --revision abc',
    '-cc.mode=3 --tokenizer-revision v2 --dcp-comm-backend ag_rs',
    '--compilation-config {"mode":"VLLM_COMPILE"} -O3',
  ])('runs as asked: %s', (line) => {
    expect(compared(line)).toEqual([]);
  });

  it.each([
    ['vllm serve /other', 'model', '/other', '/m'],
    ['--max-model-len 64k', 'max_model_len', '64k', 32768],
    ['--tensor-parallel-size=4', 'tensor_parallel_size', '4', 2],
    ['--dtype half', 'dtype', 'half', 'torch.bfloat16'],
    ['--quantization fp8', 'quantization', 'fp8', 'awq_marlin'],
    ['--kv-cache-dtype fp8_e5m2', 'kv_cache_dtype', 'fp8_e5m2', 'fp8_ds_mla'],
    ['--served-model-name other', 'served_model_name', 'other', 'qwen'],
    ['--no-enforce-eager', 'enforce_eager', false, true],
    ['--enable-prefix-caching', 'enable_prefix_caching', true, false],
    ['--seed 7', 'seed', '7', 0],
    ['--speculative-config {"method":"eagle3"}', 'speculative method', 'eagle3', 'dflash'],
    ['-sc.num_speculative_tokens 15', 'num_speculative_tokens', '15', 7],
    ['-O.cudagraph_mode FULL', 'cudagraph_mode', 'FULL', 'CUDAGraphMode.PIECEWISE'],
    ['-cc.mode 0', 'compilation mode', '0', 'CompilationMode.VLLM_COMPILE'],
    ['-cc.level NONE', 'compilation mode', 'NONE', 'CompilationMode.VLLM_COMPILE'],
    ['--tokenizer-revision v1', 'tokenizer_revision', 'v1', 'v2'],
    ['--dcp-comm-backend a2a', 'dcp_comm_backend', 'a2a', 'ag_rs'],
  ])('does not run as asked: %s', (line, key, asked, got) => {
    expect(compared(line)).toEqual([{ key, asked, got }]);
  });

  it('of a vLLM before 0.11.1 tells its compilation mode as a level', () => {
    expect(compared('-O.mode=VLLM_COMPILE', { compilation_config: { level: 3 } })).toEqual([]);
    expect(compared('-O.level=3', { compilation_config: { level: 0 } })).toEqual([
      { key: 'compilation mode', asked: '3', got: 0 },
    ]);
  });

  it('has no speculation where some was asked for', () => {
    const asked = { method: 'dflash', model: '/d' };
    expect(compareEngine({ speculative_config: asked }, { ...config, speculative_config: null })).toEqual([
      { key: 'speculative_config', asked, got: null },
    ]);
    expect(compareEngine({ speculative_config: asked }, { model: '/m' })).toEqual([]);
  });

  it("is compared with the log's own arguments, of V0 too", () => {
    const asked = {
      model_tag: '/m',
      max_model_len: 8192,
      served_model_name: ['qwen', 'b'],
      speculative_config: '{"num_speculative_tokens": 5}',
    };
    expect(compareEngine(asked, config).map(({ key }) => key)).toEqual(['max_model_len', 'num_speculative_tokens']);
  });

  it('of SGLang is compared by its own names', () => {
    const got = {
      model_path: '/m',
      tp_size: 2,
      context_length: 4096,
      dtype: 'bfloat16',
      speculative_algorithm: 'EAGLE',
      disable_radix_cache: false,
    };
    expect(compared('--model-path /m --tp 2 --context-length 4096 --speculative-algorithm NEXTN', got)).toEqual([]);
    expect(compared('--tp-size 4 --disable-radix-cache', got)).toEqual([
      { key: 'tensor_parallel_size', asked: '4', got: 2 },
      { key: 'disable_radix_cache', asked: true, got: false },
    ]);
  });
});
