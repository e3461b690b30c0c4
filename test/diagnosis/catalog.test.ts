import { describe, expect, it } from 'vitest';
import { CATALOG, recognise, recogniseTraining, TRAINING_CATALOG, weightOf } from '../../src/diagnosis/catalog.ts';
import type { Trouble } from '../../src/log/events.ts';

function troubleOf(line: string, frames = ''): Trouble {
  const match = /^((?:\w+\.)*[A-Z]\w*): (.*)$/s.exec(line);
  const [, type = null, message = line] = match ?? [];
  return { line: 3, type, process: null, pid: null, message, traceback: { first: 1, last: 3, text: [frames, line] } };
}

describe('the catalog', () => {
  it.each(CATALOG.map((row) => [row.sample, row] as const))('explains %j by its own row', (sample, row) => {
    const frames =
      row.inTraceback === undefined
        ? ''
        : '  File "/x/vllm/engine/arg_utils.py", line 1\n  File "/x/spec_decode/eagle.py", line 2';
    const found = recognise(troubleOf(sample, frames));
    expect([found.category, found.title]).toEqual([row.category, row.title]);
    expect(found.remedy).not.toContain('undefined');
  });

  it.each(TRAINING_CATALOG.map((row) => [row.sample, row] as const))(
    'explains %j of a training by its own row',
    (sample, row) => {
      const frames = row.inTraceback === undefined ? '' : '  File "/x/prepare_data.py", line 9, in load_checkpoint';
      const found = recogniseTraining(troubleOf(sample, frames));
      expect([found.category, found.title]).toEqual([row.category, row.title]);
      expect(found.remedy).not.toMatch(/undefined|NaN/);
    },
  );

  it.each([
    [
      'RuntimeError: a and b must have same reduction dim, but got [8192, 16384] X [12288, 4096].',
      '4 layers were sent, 3 expected.',
    ],
    [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 2 has a total capacity of 79.18 GiB of which 1.12 GiB is free.',
      '3.79 GiB were wanted on GPU 2, of whose 79.18 GiB only 1.12 GiB were free.',
    ],
    [
      '[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=168, OpType=ALLREDUCE, Timeout(ms)=45000) ran for 45020 milliseconds',
      'Rank 0 waited 45 s in ALLREDUCE.',
    ],
    [
      "FileNotFoundError: [Errno 2] No such file or directory: 'out/checkpoints/3/optimizer_state_dict.pt'",
      '`out/checkpoints/3/optimizer_state_dict.pt` is missing',
    ],
  ])("fills the numbers of a training's %j into the remedy", (line, words) => {
    expect(recogniseTraining(troubleOf(line, 'in load_checkpoint')).remedy).toContain(words);
  });

  it.each([
    [
      "ValueError: To serve at least one request with the models's max seq len (262144), (8.0 GiB KV cache is needed, which is larger than the available KV cache memory (3.06 GiB). Based on the available memory, the estimated maximum model length is 100272.",
      'Set --max-model-len 100272 or less, raise --gpu-memory-utilization, or spread the model over more GPUs (--tensor-parallel-size). Needed: 8.0 GiB, available: 3.06 GiB.',
    ],
    [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.',
      '250.00 MiB were wanted on GPU 1, of whose 44.39 GiB only 171.31 MiB were free.',
    ],
    [
      'pydantic_core.ValidationError: max_num_batched_tokens (8192) is smaller than max_model_len (32768).',
      'Raise --max-num-batched-tokens from 8192 to at least 32768',
    ],
    ["[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use", 'sport = :8000'],
  ])('fills the numbers of %j into the remedy', (line, words) => {
    expect(recognise(troubleOf(line)).remedy).toContain(words);
  });

  it.each([
    ['RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}', 1],
    [
      'Exception: WorkerProc initialization failed due to an exception in a background process. See stack trace for root cause.',
      1,
    ],
    [
      'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.',
      1,
    ],
    ['Worker proc VllmWorker-1 died unexpectedly, shutting down executor.', 1],
    ['KeyboardInterrupt: terminated', 0],
    ['RuntimeError: [gloo/transport/tcp/pair.cc:547] Connection closed by peer [127.0.0.1]:4321', 0],
    ['torch.OutOfMemoryError: CUDA out of memory.', 2],
    ['OSError: [Errno 98] Address already in use', 2],
    ['/bin/bash: line 1: exec: vllm: not found', 0],
  ])('weighs %j as %i', (line, weight) => {
    expect(weightOf(troubleOf(line))).toBe(weight);
  });

  it('takes a repository that is not there for that, although the hub speaks of gated ones', () => {
    const line =
      'huggingface_hub.errors.RepositoryNotFoundError: 401 Client Error.\nIf you are trying to access a private or gated repo, make sure you are authenticated.';
    expect(recognise(troubleOf(line)).category).toBe('model_not_found');
  });
});
