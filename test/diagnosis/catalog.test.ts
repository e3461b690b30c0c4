import { expect, describe as group, it } from 'vitest';
import { CATEGORIES } from '../../src/categories.ts';
import { CATALOG, FOLLOW_UPS, recognise } from '../../src/diagnosis/catalog.ts';
import { describe } from '../../src/diagnosis/describe.ts';
import type { DiagnosisRow } from '../../src/diagnosis/row.ts';
import { UNKNOWN } from '../../src/diagnosis/rows/unknown.ts';
import type { LogKind } from '../../src/log/events.ts';
import { FAILURE_RULES } from '../../src/log/rules/failures.ts';
import { remedyOf, troubleOf } from './trouble.ts';

const ROWS: readonly DiagnosisRow[] = [...CATALOG, ...FOLLOW_UPS];
const ALL: readonly DiagnosisRow[] = [...ROWS, UNKNOWN];
/** The row that the catalog finds: of follow-ups the one that makes it that. */
const idOf = (row: DiagnosisRow, { followUp, row: { id } }: ReturnType<typeof recognise>): string =>
  FOLLOW_UPS.some((each) => each === row) ? (followUp?.id ?? 'none') : id;
const samples = ROWS.flatMap((row) => row.samples.map((sample) => [row.id, sample, row] as const));
const kindOf = (row: DiagnosisRow): LogKind => row.only ?? 'serve';

group('the catalog', () => {
  it.each(samples)('%s explains %j', (id, sample, row) => {
    expect(idOf(row, recognise(troubleOf(sample, row.frame), kindOf(row)))).toBe(id);
  });

  it.each(samples)('%s says what to do about %j with a flag, a command, a variable or a file', (_id, sample, row) => {
    for (const wasReady of [false, true]) {
      for (const isTarget of [false, true]) {
        const setting = { kind: kindOf(row), wasReady, isTarget, facts: {}, teamRows: [] };
        const { remedy } = describe(recognise(troubleOf(sample, row.frame), kindOf(row)), setting);
        expect(remedy).toMatch(
          /--\w|`[^`]+`|\b[A-Z]+_[A-Z0-9_]+\b|\b\w+\.(?:json|txt|log|pt)\b|\b(?:gcc|ninja|ptxas|nvcc)\b|"\w[\w ]+"|num_speculative_tokens/,
        );
        expect(remedy).not.toMatch(/undefined|NaN|null|\s{2}|\.\.(?!\.)/);
        expect(remedy).toMatch(/[.…`]$/);
      }
    }
  });

  it('has a row for each category', () => {
    const covered = new Set(ALL.flatMap(({ category, onceReady }) => [category, onceReady?.category]));
    expect(CATEGORIES.filter((category) => !covered.has(category))).toEqual([]);
  });

  it('names each row once, in words that stay', () => {
    const ids = ALL.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id))).toEqual(
      [],
    );
  });

  it('says in each row what it is, why, and where to read on', () => {
    for (const { id, title, why, link } of ROWS) {
      expect([id, title.length > 8 && title.length < 100 && !title.endsWith('.')]).toEqual([id, true]);
      expect([id, /^[^\n]{20,300}\.$/.test(why)]).toEqual([id, true]);
      expect([id, link === null || /^https:\/\/[\w./#-]+$/.test(link)]).toEqual([id, true]);
    }
  });

  it('hides only rows that there are, in no circle', () => {
    const known = new Map(ROWS.map((row) => [row.id, row.hides ?? []]));
    expect([...known.values()].flat().filter((id) => !known.has(id))).toEqual([]);
    const below = (id: string, above: readonly string[]): boolean =>
      above.includes(id) || (known.get(id) ?? []).some((each) => below(each, [...above, id]));
    expect([...known.keys()].filter((id) => below(id, []))).toEqual([]);
  });

  it.each(FAILURE_RULES.map(({ sample }) => sample))(
    'has a row for the line %j, which the reader takes for a failure',
    (line) => {
      for (const kind of ['serve', 'train'] as const) {
        const said = { ...troubleOf(line), type: null, message: line };
        expect([kind, recognise(said, kind).row.id]).not.toEqual([kind, UNKNOWN.id]);
      }
    },
  );

  it.each([
    ['CUDA error: unknown error', 'cuda-error'],
    ['CUDA error: device-side assert triggered', 'device-side-assert'],
    ['HIP error: invalid device function', 'no-kernel-image'],
  ])('is not led astray by what torch adds to %j', (message, id) => {
    const advice =
      'CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.';
    expect(recognise(troubleOf(`torch.AcceleratorError: ${message}\n${advice}`), 'serve').row.id).toBe(id);
  });

  it.each([
    "openai.RateLimitError: Error code: 429 - {'error': 'Too Many Requests'}",
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='10.0.0.4', port=9000): Max retries exceeded with url: /push",
    "FileNotFoundError: [Errno 2] No such file or directory: '/dev/shm/hidden_states/hs_12.safetensors.lock'",
    'RuntimeError: FP8 scales are not supported with this option',
    'AssertionError: x',
    'PermissionError: [Errno 1] Operation not permitted',
  ])('claims nothing of %j', (line) => {
    expect(
      recognise(troubleOf(line, '  File "/x/vllm/v1/spec_decode/eagle.py", line 2, in propose'), 'serve').row.id,
    ).toBe(UNKNOWN.id);
  });

  it("tells a target's time-out from ranks that do not meet", () => {
    const line =
      'torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.';
    expect(recognise(troubleOf(line), 'train').row.id).toBe('store-timeout');
  });

  it('takes a repository that is not there for that, although the hub speaks of gated ones', () => {
    const line =
      'huggingface_hub.errors.RepositoryNotFoundError: 401 Client Error.\nIf you are trying to access a private or gated repo, make sure you are authenticated.';
    expect(recognise(troubleOf(line), 'serve').row.category).toBe('model_not_found');
  });

  it('gives a pointer the words of the failure that it quotes', () => {
    const line =
      "RuntimeError: Worker failed with error 'CUDA error: an illegal memory access was encountered', please check the stack trace above for the root cause";
    const { role, row } = recognise(troubleOf(line), 'serve');
    expect([role, row.id]).toEqual(['pointer', 'illegal-memory-access']);
  });

  it.each([
    ['RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}', 'pointer'],
    ['vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above)', 'pointer'],
    ['Worker proc VllmWorker-1 died unexpectedly (exit code: -9), shutting down executor.', 'pointer'],
    ['KeyboardInterrupt: terminated', 'consequence'],
    ['RuntimeError: [gloo/transport/tcp/pair.cc:547] Connection closed by peer [127.0.0.1]:4321', 'consequence'],
    ['/bin/bash: line 1: exec: vllm: not found', 'consequence'],
    ['torch.OutOfMemoryError: CUDA out of memory.', 'failure'],
    ['OSError: [Errno 98] Address already in use', 'failure'],
  ])('takes %j for a %s', (line, role) => {
    expect(recognise(troubleOf(line), 'serve').role).toBe(role);
  });
});

group('numbers of the log in the remedy', () => {
  it.each([
    [
      'serve',
      "ValueError: To serve at least one request with the models's max seq len (262144), (16.0 GiB KV cache is needed, which is larger than the available KV cache memory (9.3 GiB). Based on the available memory, the estimated maximum model length is 152064.",
      'Set --max-model-len 152064 or less, raise --gpu-memory-utilization, or spread the model over more GPUs (--tensor-parallel-size). max_model_len 262144 needs 16.0 GiB of KV cache, 9.3 are available: at most 152,064 fits.',
    ],
    [
      'serve',
      "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (39904).",
      'max_model_len is 131,072, at most 39,904 tokens fit.',
    ],
    [
      'serve',
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.',
      '250.00 MiB were wanted on GPU 1, of whose 44.39 GiB only 171.31 MiB were free.',
    ],
    [
      'serve',
      'pydantic_core.ValidationError: max_num_batched_tokens (8192) is smaller than max_model_len (32768).',
      'Raise --max-num-batched-tokens from 8192 to at least 32768',
    ],
    [
      'serve',
      "[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
      'sport = :8000',
    ],
    [
      'serve',
      'AssertionError: DP adjusted local rank 3 is out of bounds for 2 devices.',
      'number 3 (counted from 0), which is not visible; 2 are.',
    ],
    ['serve', 'RuntimeError: The NVIDIA driver on your system is too old (found version 12020).', 'CUDA 12.2 at most'],
    [
      'serve',
      'ValueError: Quantization method specified in the model config (awq) does not match the quantization method specified in the `quantization` argument (gptq).',
      'set it to awq; it is gptq',
    ],
    [
      'train',
      'RuntimeError: a and b must have same reduction dim, but got [8192, 16384] X [12288, 4096].',
      '4 layers were sent, 3 expected.',
    ],
    [
      'train',
      '[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=168, OpType=ALLREDUCE, Timeout(ms)=45000) ran for 45020 milliseconds',
      'Rank 0 waited 45 s in ALLREDUCE.',
    ],
  ] as const)('of a %s log: %j', (kind, line, words) => {
    expect(remedyOf(troubleOf(line), kind)).toContain(words);
  });

  it("names a broken checkpoint's missing file", () => {
    const line = "FileNotFoundError: [Errno 2] No such file or directory: 'out/3/optimizer_state_dict.pt'";
    expect(remedyOf(troubleOf(line, 'in load_checkpoint'), 'train')).toContain(
      '`out/3/optimizer_state_dict.pt` is missing',
    );
  });
});
