import { describe, expect, it } from 'vitest';
import { readAsked, readEngine, readServerArgs } from '../../src/log/engine/lines.ts';
import { parsePairs, parseRepr } from '../../src/log/engine/repr.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';

describe('a value as Python prints it', () => {
  it.each([
    ['None', null],
    ['True', true],
    ['-0.5', -0.5],
    ['1e-06', 1e-6],
    ['inf', 'inf'],
    ['1e999', '1e999'],
    ['nan', 'nan'],
    ['torch.bfloat16', 'torch.bfloat16'],
    ["'it\\'s \"so\"'", 'it\'s "so"'],
    ['"it\'s"', "it's"],
    ["'a\\\\b\\n\\x41\\u00e9'", 'a\\b\nAé'],
    ["b'raw'", 'raw'],
    ['[1, 2, [3]]', [1, 2, [3]]],
    ["(1, 'a')", [1, 'a']],
    ['(1,)', [1]],
    ["{'a', 'b'}", ['a', 'b']],
    ['set()', []],
    ['frozenset({1})', [1]],
    ['{}', {}],
    ["{'a': {1: None}, 'b': []}", { a: { 1: null }, b: [] }],
    ['{"level":3,"cache":null,"deep":{"on":true}}', { level: 3, cache: null, deep: { on: true } }],
    ['<CompilationMode.VLLM_COMPILE: 3>', 'CompilationMode.VLLM_COMPILE'],
    ['<CUDAGraphMode.FULL_AND_PIECEWISE: (2, 1)>', 'CUDAGraphMode.FULL_AND_PIECEWISE'],
    ['<function ServeSubcommand.cmd at 0x7f3a1c>', 'function ServeSubcommand.cmd'],
    ['<bound method A.b of <vllm.C object at 0x7f>>', 'bound method A.b of <vllm.C object>'],
    ["PosixPath('/m')", '/m'],
    [
      'Config(mode=<Mode.FAST: 1>, inner=Inner(a=1, b=None), n=[1])',
      { mode: 'Mode.FAST', inner: { a: 1, b: null }, n: [1] },
    ],
    ['Config()', 'Config()'],
  ])('%s', (text, value) => {
    expect(parseRepr(text)).toEqual(value);
  });

  it.each([
    ["{'a': 1, 'b': {'c': 2, 'd': 'cut of", { a: 1, b: { c: 2 } }],
    ["{'a': 1, 'b': 20", { a: 1 }],
    ["{'a': 1, 'b", { a: 1 }],
    ['[1, 2, <Mode.FA', [1, 2]],
    ["Config(a=1, b='x", { a: 1 }],
    ['{', {}],
    ['', null],
  ])('holds what stands whole in %s', (text, value) => {
    expect(parseRepr(text)).toEqual(value);
  });

  it('reads pairs whose commas, quotes or brackets are missing', () => {
    expect(parsePairs('a=1 b=True, c=/m n/x,  d=torch.float16, e=None) f=my model (v2), g=2')).toEqual({
      a: 1,
      b: true,
      c: '/m n/x',
      d: 'torch.float16',
      e: null,
      f: 'my model (v2)',
      g: 2,
    });
  });

  it('keeps what is too deep as its text, and stays plain JSON', () => {
    const deep = `${'['.repeat(40)}1${']'.repeat(40)}`;
    const value = parseRepr(`{'__proto__': 1, 'deep': ${deep}, 'after': 2}`);
    expect(value).toMatchObject({ after: 2 });
    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  });

  it.each(['(', '[', '{', '<', "'", '\\', 'a=', 'a(', '{:', ' ', ',', ')', 'x ', '(]', '"\\', 'f(a=', "b'"])(
    'ends on a quarter of a megabyte of %s',
    (piece) => {
      const text = piece.repeat(2 ** 18 / piece.length);
      expect(() => [parseRepr(text), parsePairs(text), parseRepr(`{'a': ${text}`)]).not.toThrow();
    },
  );
});

const V1 =
  "Initializing a V1 LLM engine (v0.11.0) with config: model='/m/Qwen', speculative_config=SpeculativeConfig(method='dflash', model='/m/D', num_spec_tokens=15), tokenizer='/m/Qwen', skip_tokenizer_init=False, tokenizer_mode=auto, revision=None, dtype=torch.bfloat16, max_seq_len=32768, download_dir=None, load_format=auto, tensor_parallel_size=2, quantization=None, enforce_eager=False, kv_cache_dtype=fp8, device_config=cuda, structured_outputs_config=StructuredOutputsConfig(backend='auto', disable_fallback=False, reasoning_parser=''), seed=0, served_model_name=qwen, enable_prefix_caching=True, chunked_prefill_enabled=True, pooler_config=None, compilation_config={\"level\":3,\"debug_dump_path\":\"\",\"cudagraph_mode\":[2,1],\"cudagraph_capture_sizes\":[16,8,4,2,1]}";

describe("the engine's configuration line", () => {
  it('of V1, with its speculation and compilation', () => {
    expect(readEngine(V1)).toMatchObject({
      version: '0.11.0',
      config: {
        model: '/m/Qwen',
        speculative_config: { method: 'dflash', model: '/m/D', num_spec_tokens: 15 },
        dtype: 'torch.bfloat16',
        max_seq_len: 32768,
        quantization: null,
        served_model_name: 'qwen',
        chunked_prefill_enabled: true,
        structured_outputs_config: { backend: 'auto', disable_fallback: false },
        compilation_config: { level: 3, cudagraph_capture_sizes: [16, 8, 4, 2, 1] },
      },
    });
  });

  it.each([
    [
      "Initializing an LLM engine (v0.6.3) with config: model='/m', speculative_config=SpeculativeConfig(draft_model='[ngram]', num_spec_tokens=5), dtype=torch.float16, max_seq_len=4096, load_format=LoadFormat.AUTO, num_scheduler_steps=1, chunked_prefill_enabled=False multi_step_stream_outputs=True, enable_prefix_caching=False, use_cached_outputs=False, mm_processor_kwargs=None)",
      {
        chunked_prefill_enabled: false,
        multi_step_stream_outputs: true,
        mm_processor_kwargs: null,
        load_format: 'LoadFormat.AUTO',
      },
    ],
    [
      'Initializing a V0 LLM engine (v0.8.5) with config: model=\'/m\', kv_cache_dtype=auto,  device_config=cuda, compilation_config={"splitting_ops":[],"compile_sizes":[]}, use_cached_outputs=True, ',
      { kv_cache_dtype: 'auto', device_config: 'cuda', use_cached_outputs: true },
    ],
    [
      "Initializing a V1 LLM engine (v0.20.1) with config: model='/m', data_parallel_size=1, pooler_config=PoolerConfig(pooling_type='CLS', normalize=None), compilation_config={'mode': <CompilationMode.VLLM_COMPILE: 3>, 'cudagraph_mode': <CUDAGraphMode.FULL_AND_PIECEWISE: (2, 1)>, 'pass_config': {'fuse_norm_quant': False}}, kernel_config=KernelConfig(ir_op_priority=IrOpPriorityConfig(rms_norm=['native']), enable_flashinfer_autotune=True)",
      {
        pooler_config: { pooling_type: 'CLS', normalize: null },
        compilation_config: {
          mode: 'CompilationMode.VLLM_COMPILE',
          cudagraph_mode: 'CUDAGraphMode.FULL_AND_PIECEWISE',
          pass_config: { fuse_norm_quant: false },
        },
        kernel_config: { ir_op_priority: { rms_norm: ['native'] }, enable_flashinfer_autotune: true },
      },
    ],
  ])('of other versions: %.60s', (line, config) => {
    expect(readEngine(line)?.config).toMatchObject(config);
  });

  it('of which the end was cut keeps what stands whole', () => {
    for (let end = V1.indexOf('max_seq_len'); end < V1.length; end += 7) {
      expect(readEngine(V1.slice(0, end))?.config).toMatchObject({ model: '/m/Qwen', dtype: 'torch.bfloat16' });
    }
    const long = `${V1.slice(0, V1.indexOf('compilation_config'))}filler='${'x'.repeat(8000)}', seed_of_it=1`;
    expect(readEngine(long)?.config).not.toHaveProperty('seed_of_it');
  });

  it('is kept at 3 KB: what matters first, nothing shortened, no secrets', () => {
    const many = Array.from({ length: 400 }, (_, n) => `other_${n}=None`).join(', ');
    const said = readEngine(
      `Initializing a V1 LLM engine (v1) with config: hf_token='x', ${many}, ops=[${'1,'.repeat(400)}], seed=3`,
    );
    expect(JSON.stringify(said).length).toBeLessThan(3100);
    expect(said?.config).toMatchObject({ seed: 3 });
    expect(said?.config).not.toHaveProperty('ops');
    expect(said?.config).not.toHaveProperty('hf_token');
  });

  it.each(['Initializing a V1 LLM engine', 'Initializing a model', ''])('is not %j', (line) => {
    expect(readEngine(line)).toBeNull();
  });
});

describe('the arguments of a server', () => {
  it('are those that it was given', () => {
    const line =
      "non-default args: {'model_tag': '/m', 'port': 8011, 'api_key': ['k'], 'served_model_name': ['a', 'b'], 'enable_prefix_caching': False, 'speculative_config': {'method': 'dflash', 'num_speculative_tokens': 7}, 'compilation_config': {'level': None, 'cudagraph_mode': <CUDAGraphMode.PIECEWISE: 1>}, 'hf_overrides': {'a': (1, 2)}}";
    expect(readAsked(line)).toEqual({
      model_tag: '/m',
      served_model_name: ['a', 'b'],
      speculative_config: { method: 'dflash', num_speculative_tokens: 7 },
      enable_prefix_caching: false,
      compilation_config: { level: null, cudagraph_mode: 'CUDAGraphMode.PIECEWISE' },
      port: 8011,
      hf_overrides: { a: [1, 2] },
    });
  });

  it('of before 0.9 are all of them: those that say nothing are left out', () => {
    const line =
      "args: Namespace(subparser='serve', model_tag='/m', api_key=None, dtype='auto', enforce_eager=False, trust_remote_code=True, max_model_len=8192, allowed_origins=['*'], dispatch_function=<function serve at 0x7f61>)";
    expect(readAsked(line)).toEqual({
      model_tag: '/m',
      max_model_len: 8192,
      trust_remote_code: true,
      subparser: 'serve',
      allowed_origins: ['*'],
      dispatch_function: 'function serve',
    });
  });

  it('of SGLang are what its engine runs with', () => {
    const line =
      "server_args=ServerArgs(model_path='/m', context_length=None, dtype='auto', tp_size=2, mem_fraction_static=0.83, speculative_algorithm='EAGLE3', cuda_graph_bs=[1, 2, 4], api_key='k')";
    expect(readServerArgs(line)).toEqual({
      model_path: '/m',
      context_length: null,
      dtype: 'auto',
      tp_size: 2,
      speculative_algorithm: 'EAGLE3',
      mem_fraction_static: 0.83,
      cuda_graph_bs: [1, 2, 4],
    });
  });
});

describe('a reading', () => {
  const read = (text: string): Reading => {
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    return reader.feed(new TextEncoder().encode(text)).events.reduce(addEvent, emptyReading('serve'));
  };
  const record = (message: string) => `INFO 11-30 07:41:56 [core.py:9] ${message}\n`;
  const version = record('vLLM API server version 0.11.0');
  const engine = (n: number) => record(`Initializing a V1 LLM engine (v0.11.0) with config: model='/m', seed=${n}`);

  it('keeps what the first engine of a start said, and forgets an older start', () => {
    const args = record("non-default args: {'seed': 1}");
    const first = read(version + args + engine(1) + engine(2));
    expect([first.asked, first.engine]).toEqual([{ seed: 1 }, { version: '0.11.0', config: { model: '/m', seed: 1 } }]);
    const second = read(version + args + engine(1) + record('Starting to load model /m...') + version);
    expect([second.asked, second.engine]).toEqual([null, null]);
  });

  it('that was saved without these fields takes them up', () => {
    const { asked: _, engine: __, ...old } = emptyReading('serve');
    const saved: Reading = JSON.parse(JSON.stringify(old));
    const said = { kind: 'engine', version: null, config: { seed: 1 }, line: 1, stamp: null } as const;
    expect(addEvent(saved, said).engine).toEqual({ version: null, config: { seed: 1 } });
  });

  it.each([
    ["{'api_server_count': 2}", [2, null]],
    ["{'api_server_count': 0}", [undefined, 3]],
  ])('counts the API servers that %s asks for', (args, expected) => {
    const ready = 'INFO:     Application startup complete.\n';
    const reading = read(version + record(`non-default args: ${args}`) + ready);
    expect([reading.facts.api_servers, reading.readyLine]).toEqual(expected);
  });
});
