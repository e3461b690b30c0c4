import { describe, expect, it } from 'vitest';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';
import { findDownload, findRule } from '../../src/log/rules/table.ts';

/** What a message shows: phases by name, facts as `key=value`, progress as `phase done/total`, else the kind. */
function shown(message: string): string[] {
  return (findRule(message)?.findings ?? findDownload(message) ?? []).map((finding) => {
    if (finding.kind === 'phase') return finding.phase;
    if (finding.kind === 'fact') return `${finding.key}=${finding.value}`;
    if (finding.kind === 'progress')
      return `${finding.progress.phase} ${finding.progress.done}/${finding.progress.total}`;
    return finding.kind === 'file'
      ? `file ${finding.index}/${finding.total}${finding.isDone ? ' done' : ''}`
      : finding.kind;
  });
}

function read(lines: readonly string[]): Reading {
  const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
  const { events } = reader.feed(new TextEncoder().encode(`${lines.join('\n')}\n`));
  return events.reduce(addEvent, emptyReading('serve'));
}

describe('a line of vLLM', () => {
  it.each([
    // 0.6 and 0.7
    ['Compiling a graph for general shapes', ['compiling']],
    ['Loading model weights took 14.9888 GB', ['loading']],
    ['# GPU blocks: 27896, # CPU blocks: 2048', ['kv_cache']],
    ['# TPU blocks: 4096, # CPU blocks: 512', ['kv_cache']],
    ['# CPU blocks: 2048', ['kv_cache']],
    ['Graph capturing finished in 24 secs.', ['capturing']],
    ['Gracefully stopping http server', ['shutdown']],
    ['Uvicorn running on unix socket /tmp/v.sock (Press CTRL+C to quit)', ['url=/tmp/v.sock']],
    ['vLLM message queue communication handle: Handle(connect_ip=None, local_reader_ranks=[1])', ['connecting']],
    ['generating GPU P2P access cache in /c/gpu_p2p_access_cache_for_0,1.json', ['connecting']],
    ['Loading weights with BitsAndBytes quantization.  May take a while ...', ['loading']],
    ['Deserialized 15.0 GB in 12.11s, 1.2 GB/s', ['loading']],
    // 0.8 to 0.10
    ['# cuda blocks: 27896, # CPU blocks: 2048', ['kv_cache']],
    ['# rocm blocks: 27896, # CPU blocks: 2048', ['kv_cache']],
    ['Adjusting world_size=4 rank=3 distributed_init_method=tcp://127.0.0.1:9 for DP', ['connecting', 'world_size=4']],
    ['Directly load the compiled graph for shape None from the cache', ['compiling']],
    ['Launching 2 data parallel engine(s) in headless mode, with head node address tcp://10.0.0.1:5.', ['configuring']],
    ['Started 4 API server processes', ['configuring', 'api_servers=4']],
    ['Compiling compute_logits with different input shapes.', ['compiling']],
    ['Compilation finished in 41.20 [secs].', ['compiling']],
    ['Warming up model for the compilation...', ['compiling']],
    // 0.11 and later
    ['Auto-fit max_model_len: reduced from 262144 to 81920 to fit in available GPU memory (9 GiB)', ['kv_cache']],
    ['Multiplying the GPU KV cache size by the dcp_world_size 8.', ['kv_cache']],
    [
      'Launching vLLM (v0.14.0) headless multiproc executor, with head node address a:1 for',
      ['configuring', 'version=0.14.0'],
    ],
    ['vLLM server version 0.20.1, serving model /m', ['configuring', 'version=0.20.1']],
    ['saving AOT compiled function to /c/x', ['compiling']],
    [
      'GPU KV cache size: 1,019,296 tokens, Maximum concurrency for 8,192 tokens per request: 9x',
      ['kv_cache', 'kv_cache_tokens=1019296'],
    ],
    ['Encoder CUDA graph capture complete. Captured 9 graphs across 2 paths.', ['capturing']],
    ['Starting vLLM server on unix:/tmp/v.sock', ['url=unix:/tmp/v.sock']],
    ['vLLM gRPC server started on 0.0.0.0:50051', ['url=0.0.0.0:50051']],
    ['Server is ready to accept requests', ['ready']],
    [
      'OpenAI server is ready to accept requests bind_address="0.0.0.0:80" scheme="http" model="m"',
      ['url=http://0.0.0.0:80', 'ready'],
    ],
    ['Shutdown initiated (timeout=0)', ['shutdown']],
    ['[shutdown] API server: signalling HTTP server shutdown', ['shutdown']],
    ['Waiting up to 30 seconds for processes to exit', ['shutdown']],
    ['[RunAI Streamer] Overall time to stream 15.0 GiB of all files to cpu: 5.21s, 2.9 GiB/s', ['loading']],
    ['SingleProcess AUTOTUNE benchmarking takes 0.4 seconds and 0.3 seconds precompiling for 9 choices', ['compiling']],
  ])('%s', (message, expected) => {
    expect(shown(message)).toEqual(expected);
  });

  it.each([
    [
      'Loading safetensors using Runai Model Streamer:  50% Completed | 145/290 [00:02<00:02, 66.1it/s]',
      ['loading', 'loading 145/290'],
    ],
    [
      'Loading safetensors using Fastsafetensor loader: 100% Completed | 4/4 [00:06<00:00,  1.6s/it]',
      ['loading', 'loading 4/4'],
    ],
    [
      'Loading safetensors using InstantTensor loader:  43% Completed | 6.90G/16.1G [00:03<00:04, 2.1GB/s]',
      ['loading'],
    ],
    [
      'Multi-thread loading pt checkpoint shards:  25% Completed | 1/4 [00:02<00:06,  2.1s/it]',
      ['loading', 'loading 1/4'],
    ],
    ['Capturing CUDA graph shapes:  43%|████▎     | 15/35 [00:07<00:09,  2.0it/s]', ['capturing', 'capturing 15/35']],
    [
      'Capturing CUDA graphs (mixed prefill-decode, PIECEWISE): 100%|███| 67/67 [00:04<00:00, 16it/s]',
      ['capturing', 'capturing 67/67'],
    ],
    [
      'Capturing multi-module MTP CUDA graphs (FULL):   0%|          | 0/8 [00:00<?, ?it/s]',
      ['capturing', 'capturing 0/8'],
    ],
    [
      'Capturing batches (bs=16 avail_mem=40.21 GB):  45%|████▌     | 16/36 [00:03<00:02,  7it/s]',
      ['capturing', 'capturing 16/36'],
    ],
    [
      'Capturing num tokens (num_tokens=8 avail_mem=4.1 GB):  10%|█ | 5/50 [00:03<00:12,  7it/s]',
      ['capturing', 'capturing 5/50'],
    ],
    [
      'Compiling num tokens (num_tokens=8192):   2%|▏         | 1/50 [00:09<07:41,  9.4s/it]',
      ['compiling', 'compiling 1/50'],
    ],
    [
      'DeepGemm(fp8_gemm_nt) warmup (W=torch.Size([24576, 1536])):  10%|█  | 819/8192 [00:01<00:11, 6it/s]',
      ['compiling', 'compiling 819/8192'],
    ],
    ['[AutoTuner]: Tuning fp4_gemm:  50%|█████     | 7/14 [00:12<00:12,  1.7s/it]', ['compiling', 'compiling 7/14']],
    ['Compiling CuTeDSL kernels:  10%|█         | 1/10 [00:02<00:20,  2.2s/it]', ['compiling', 'compiling 1/10']],
    ['Downloading shards:  25%|██▌       | 1/4 [00:41<02:05, 41.8s/it]', ['downloading', 'downloading 1/4']],
    ['Fetching 19 files:  42%|████▏     | 8/19 [01:10<01:31,  8.36s/it]', ['downloading', 'downloading 8/19']],
    [
      'model-00002-of-00004.safetensors:  12%|█▏        | 598M/4.98G [00:04<00:33, 129MB/s]',
      ['downloading', 'file 2/4'],
    ],
    [
      '(…)long-name/model-00002-of-00004.safetensors: 100%|██████| 4.98G/4.98G [00:40<00:00, 129MB/s]',
      ['downloading', 'file 2/4 done'],
    ],
    [
      'model-00007-of-000163.safetensors:   1%|          | 52M/4.3G [00:01<01:33, 45MB/s]',
      ['downloading', 'file 7/163'],
    ],
    ['model-3-of-61.safetensors:   1%|          | 52M/4.3G [00:01<01:33, 45MB/s]', ['downloading', 'file 3/61']],
    [
      'Downloading [model-00001-of-00004.safetensors]:  10%|█   | 398M/3.98G [00:03<00:33, 113MB/s]',
      ['downloading', 'file 1/4'],
    ],
    ['Qwen3-8B-Q4_K_M.gguf:  12%|█▏        | 598M/4.98G [00:04<00:33, 129MB/s]', ['downloading', 'file 1/1']],
    ['consolidated.00.pth: 100%|██████████| 16.1G/16.1G [02:04<00:00, 129MB/s]', ['downloading', 'file 1/1 done']],
  ])('is a bar: %s', (message, expected) => {
    expect(shown(message)).toEqual(expected);
  });

  it.each([
    'config.json: 100%|██████████| 720/720 [00:00<00:00, 6.54MB/s]',
    'Fetching 4 files: 100%|██████████| 4/4 [00:00<00:00, 61230.72it/s]',
    'Fetching 10 files:  10%|█         | 1/10 [00:01<00:12,  1.4s/it]',
    'Parse safetensors files: 100%|██████████| 17/17 [00:00<00:00, 20.1it/s]',
    'Warming up chat template processing...',
    'Warming up multimodal input processor...',
    'Skipping FlashInfer autotune because it is disabled.',
    'Started server process [4411]',
    'Started engine process with PID 4417',
    'Started DP Coordinator process (PID: 118)',
    'Waiting for application startup.',
    'Waiting for READY message from DP Coordinator...',
    'Worker ready; awaiting tasks',
    'Core engine process 0 ready.',
    'init engine (profile, create kv cache, warmup model) took 61.2 seconds',
    'Free memory on device (78.6/79.1 GiB) on startup. Desired GPU memory utilization is (0.9, 71.2 GiB).',
    'Initial free memory: 78.6 GiB; Requested memory: 0.900000 (util), 71.2 GiB',
    'Capture your logs with --help',
    'Loading chat template fallback for m as there is not one defined on HF Hub.',
    'Shutting down Ray distributed executor. If you see error log from logging.cc regarding SIGTERM',
    '# nothing',
  ])('shows nothing: %s', (message) => {
    expect(shown(message)).toEqual([]);
  });
});

describe('a line of SGLang', () => {
  it.each([
    ['Init nccl begin.', ['connecting']],
    ['Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=64.23 GB', ['loading']],
    [
      'Load weight end. elapsed=3.30 s, type=Qwen3ForCausalLM, dtype=torch.bfloat16',
      ['loading', 'model_load_seconds=3.3'],
    ],
    [
      'KV Cache is allocated. dtype: torch.bfloat16, #tokens: 391204, K size: 23.88 GB',
      ['kv_cache', 'kv_cache_tokens=391204'],
    ],
    [
      'max_total_num_tokens=442010, chunked_prefill_size=8192, max_prefill_tokens=16384',
      ['kv_cache', 'kv_cache_tokens=442010'],
    ],
    ['Capture piecewise CUDA graph begin. avail mem=12.1 GB', ['capturing']],
    ['Capture draft extend cuda graph end. Time elapsed: 2.1 s. mem usage=0.3 GB.', ['capturing']],
    ['Capture decode CUDA graph begin. backend=full, num_tokens_per_req=1, bs=[1, 2]', ['capturing']],
    ['Capture cuda graph bs [1, 2, 4, 8]', ['capturing']],
    ['Try DeepGEMM JIT Compiling for <GROUPED_GEMM> N=4096, K=7168, num_groups=1 with all Ms.', ['compiling']],
    ['Gracefully exiting... Remaining number of requests 0. Remaining requests remaining_rids=[].', ['shutdown']],
  ])('%s', (message, expected) => {
    expect(shown(message)).toEqual(expected);
  });
});

describe('a start of', () => {
  const r = (message: string) => `INFO 03-04 11:30:09 [x.py:7] ${message}`;
  const up = [
    'INFO:     Started server process [7]',
    'INFO:     Waiting for application startup.',
    'INFO:     Application startup complete.',
  ];

  it.each<[string, string[], readonly string[]]>([
    [
      'V0',
      [
        'INFO 03-04 11:30:12 api_server.py:912] vLLM API server version 0.6.3',
        "INFO 03-04 11:30:12 api_server.py:913] args: Namespace(model='/m')",
        "INFO 03-04 11:30:29 llm_engine.py:237] Initializing an LLM engine (v0.6.3) with config: model='/m')",
        'INFO 03-04 11:30:30 utils.py:1008] Found nccl from library libnccl.so.2',
        'INFO 03-04 11:30:31 model_runner.py:1056] Starting to load model /m...',
        'INFO 03-04 11:30:41 model_runner.py:1067] Loading model weights took 14.9888 GB',
        'INFO 03-04 11:30:44 gpu_executor.py:122] # GPU blocks: 27896, # CPU blocks: 2048',
        'INFO 03-04 11:30:47 model_runner.py:1395] Capturing the model for CUDA graphs. This may lead to',
        ...up,
      ],
      ['configuring', 'connecting', 'loading', 'kv_cache', 'capturing', 'ready'],
    ],
    [
      'V1 whose kernels are tuned after its cache',
      [
        r('vLLM server version 0.23.0, serving model /m'),
        r('world_size=1 rank=0 local_rank=0 distributed_init_method=file:///tmp/x backend=nccl'),
        r('Starting to load model /m...'),
        r('Available KV cache memory: 3.06 GiB'),
        r('GPU KV cache size: 196,112 tokens'),
        'DeepGEMM warmup:   5%|▌         | 409/8192 [00:11<03:23, 38it/s]',
        r('Graph capturing finished in 5 secs, took 0.29 GiB'),
        ...up,
      ],
      ['configuring', 'connecting', 'loading', 'kv_cache', 'compiling', 'capturing', 'ready'],
    ],
    [
      'a headless node that is stopped',
      [
        r('Resolved architecture: Qwen3MoeForCausalLM'),
        r('Launching 2 data parallel engine(s) in headless mode, with head node address tcp://10.0.0.1:13345.'),
        r('rank 2 in world size 4 is assigned as DP rank 2, PP rank 0, TP rank 0, EP rank 2'),
        r('Waiting up to 0 seconds for processes to exit'),
        r('Shutting down.'),
      ],
      ['configuring', 'connecting'],
    ],
    [
      'SGLang, whose uvicorn is up before it',
      [
        "[2025-11-30 07:41:56] server_args=ServerArgs(model_path='/m', tp_size=2)",
        '[2025-11-30 07:41:59 TP0] Init torch distributed begin.',
        '[2025-11-30 07:42:02 TP0] Load weight begin. avail mem=78.31 GB',
        '[2025-11-30 07:42:09 TP0] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16',
        '[2025-11-30 07:42:10 TP0] Memory pool end. avail mem=12.61 GB',
        '[2025-11-30 07:42:11 TP0] Capture cuda graph begin. This can take up to several minutes.',
        ...up,
        '[2025-11-30 07:42:31] The server is fired up and ready to roll!',
      ],
      ['configuring', 'connecting', 'loading', 'kv_cache', 'capturing', 'ready'],
    ],
  ])('%s', (_, lines, phases) => {
    expect(read(lines).phases).toEqual(phases);
  });

  it('of several API servers is ready with the last of them', () => {
    const lines = [r('vLLM API server version 0.16.0'), r('Started 3 API server processes'), ...up, ...up];
    expect(read(lines).readyLine).toBeNull();
    expect(read([...lines, ...up]).readyLine).toBe(11);
  });

  it('counts files one by one where it can, and all of a snapshot where it can not', () => {
    const all = 'Fetching 19 files:  42%|████▏     | 8/19 [01:10<01:31,  8.36s/it]';
    const one = 'model-00002-of-00004.safetensors: 100%|██████████| 4.98G/4.98G [00:40<00:00, 129MB/s]';
    const files = (lines: string[]) => read([r('vLLM API server version 0.6.3'), ...lines]).progress;
    expect(files([all])).toEqual({ phase: 'downloading', done: 8, total: 19 });
    expect(files([one, all])).toEqual({ phase: 'downloading', done: 1, total: 4 });
  });
});

describe('a bar without a name', () => {
  const bar = '  4%|▍         | 1/23 [00:07<02:39,  7.23s/it]\r';
  const progressOf = (text: string) => {
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    const { events } = reader.feed(Buffer.from(text));
    return events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []));
  };

  it('is of the capture where SGLang captures graphs, and of nothing else', () => {
    const start = "[2025-01-29 08:50:00] server_args=ServerArgs(model_path='/m')\n";
    const capture = '[2025-01-29 08:51:36 TP0] Capture cuda graph begin. This can take up to several minutes.\n';
    expect(progressOf(start + capture + bar)).toEqual([{ phase: 'capturing', done: 1, total: 23 }]);
    expect(progressOf(start + bar)).toEqual([]);
    expect(progressOf(bar)).toEqual([]);
  });
});

describe('an engine core that waits for its workers', () => {
  const line = (process: string) =>
    `(${process} pid=90) INFO 03-25 06:55:11 [shm_broadcast.py:681] No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging.`;
  const kinds = (text: string) =>
    openLogReader({ kind: 'serve', secrets: [], resume: null })
      .feed(new TextEncoder().encode(`${text}\n`))
      .events.map(({ kind }) => kind);

  it.each(['EngineCore', 'EngineCore_DP1', 'EngineCore_0'])('is heard from %s', (process) => {
    expect(kinds(line(process))).toEqual(['waits']);
  });

  it.each(['Worker_TP0', 'APIServer'])('is not heard from %s, which may wait for requests', (process) => {
    expect(kinds(line(process))).toEqual([]);
  });
});
