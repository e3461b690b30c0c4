import { describe, expect, it } from 'vitest';
import { outline, troublesIn } from './troubles-in.ts';

/** Tracebacks of other processes, as executors, torch, Ray and torchrun hand them on. */
describe('a traceback of another process', () => {
  it.each([
    'concurrent.futures.process._RemoteTraceback',
    'multiprocessing.pool.RemoteTraceback',
    'multiprocess.pool.RemoteTraceback',
  ])('in quotes, as %s has it, is what the parent raised it from', (name) => {
    const text = `Map (num_proc=4):   0%|          | 0/100 [00:00<?, ? examples/s]
${name}: 
"""
Traceback (most recent call last):
  File "/opt/venv/lib/python3.12/site-packages/multiprocess/pool.py", line 125, in worker
    result = (True, func(*args, **kwds))
ValueError: in the child
more of it
"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/prepare.py", line 8, in <module>
    data.map(f, num_proc=4)
ValueError: in the child
more of it
`;
    expect(outline(text)).toEqual(['7 ValueError 4-8', '16 ValueError 13-17 cause 7']);
  });

  it('behind what DataLoader says is told beside the one that quotes it', () => {
    const text = `[rank1]: Traceback (most recent call last):
[rank1]:   File "/srv/train.py", line 9, in <module>
[rank1]:     for batch in loader:
[rank1]: RuntimeError: Caught RuntimeError in DataLoader worker process 0.
[rank1]: Original Traceback (most recent call last):
[rank1]:   File "/opt/venv/lib/python3.12/site-packages/torch/utils/data/_utils/worker.py", line 349, in _worker_loop
[rank1]:     data = fetcher.fetch(index)
[rank1]: RuntimeError: stack expects each tensor to be equal size
[rank1]: 
`;
    expect(outline(text, 'train')).toEqual(['4 rank1 RuntimeError 1-8', '8 rank1 RuntimeError 5-8 quoted 4']);
    expect(troublesIn(text, 'train')[0]?.message).toContain('Original Traceback (most recent call last):\n  File');
  });

  it("behind a message's colon is one that it quotes", () => {
    const text = `Traceback (most recent call last):
  File "/srv/a.py", line 1, in f
RuntimeError: the worker failed with:
Traceback (most recent call last):
  File "/srv/b.py", line 2, in g
OSError: disk
`;
    expect(outline(text)).toEqual(['3 RuntimeError 1-6', '6 OSError 4-6 quoted 3']);
  });

  it('may begin on the exception line itself', () => {
    const text = `Traceback (most recent call last):
  File "/srv/a.py", line 1, in f
RuntimeError: Traceback (most recent call last):
  File "/srv/b.py", line 2, in g
torch.OutOfMemoryError: CUDA out of memory.
`;
    expect(outline(text)).toEqual(['3 RuntimeError 1-5', '5 torch.OutOfMemoryError 3-5 quoted 3']);
  });

  it('that a worker adds to its exception as a note is told beside it', () => {
    const lines = [
      'WorkerProc hit an exception.',
      'Traceback (most recent call last):',
      '  File "/x/a.py", line 1, in f',
      'ValueError: a',
      'Traceback (most recent call last):',
      '  File "/x/a.py", line 1, in f',
      'ValueError: a',
      '',
    ];
    const text = lines
      .map(
        (line, n) => `(Worker_TP0 pid=3) ERROR 04-29 06:13:29 [core.py:9] ${line}${n < lines.length - 1 ? '\r' : ''}`,
      )
      .join('\n');
    expect(outline(text)).toEqual(['4 Worker_TP0 ValueError 2-4', '7 Worker_TP0 ValueError 5-7']);
  });
});

describe('Ray', () => {
  const REMOTE =
    'ray::RayWorkerWrapper.execute_method() (pid=911, ip=192.0.2.8, actor_id=6ab8, repr=<vllm.executor.ray_utils.RayWorkerWrapper object at 0x7f4>)';

  it('quotes the traceback of the worker behind RayTaskError', () => {
    const text = `(EngineCore_DP0 pid=3) Traceback (most recent call last):
(EngineCore_DP0 pid=3)   File "/opt/venv/lib/python3.12/site-packages/ray/_private/worker.py", line 932, in get_objects
(EngineCore_DP0 pid=3)     raise value.as_instanceof_cause()
(EngineCore_DP0 pid=3) ray.exceptions.RayTaskError(OutOfMemoryError): ${REMOTE}
(EngineCore_DP0 pid=3)   File "/opt/venv/lib/python3.12/site-packages/vllm/worker/worker_base.py", line 620, in execute_method
(EngineCore_DP0 pid=3)     raise e
(EngineCore_DP0 pid=3) torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
`;
    expect(outline(text)).toEqual([
      '4 EngineCore_DP0 ray.exceptions.RayTaskError(OutOfMemoryError) 1-7',
      '7 EngineCore_DP0 torch.OutOfMemoryError 4-7 quoted 4',
    ]);
  });

  it('tells a remote traceback that nobody waited for', () => {
    const text = `2025-03-04 11:30:43,120\tERROR worker.py:409 -- Unhandled error (suppress with 'RAY_IGNORE_UNHANDLED_ERRORS=1'): ${REMOTE}
  File "/opt/venv/lib/python3.12/site-packages/vllm/worker/worker_base.py", line 620, in execute_method
    raise e
ValueError: told
`;
    expect(outline(text)).toEqual(['4 ValueError 1-4']);
  });

  it('tells a dead actor with its whole message', () => {
    const text = `Traceback (most recent call last):
  File "/srv/a.py", line 1, in f
ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.
\tclass_name: RayWorkerWrapper
\tpid: 95366
The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR
`;
    expect(outline(text)).toEqual(['3 ray.exceptions.ActorDiedError 1-6']);
  });

  it('names the worker of a prefixed line, and leaves out what it says of repetitions', () => {
    const who = '\x1b[36m(RayWorkerWrapper pid=2210, ip=192.0.2.21)\x1b[0m ERROR 03-04 11:30:43 worker_base.py:600] ';
    const text = [
      'Error executing method init_device.',
      'Traceback (most recent call last):',
      '  File "/x/worker.py", line 1, in init_device',
      'RuntimeError: NCCL error [repeated 3x across cluster]',
      '\x1b[36m(raylet, ip=192.0.2.21)\x1b[0m 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons',
    ];
    const lines = text.map((line) => (line.startsWith('\x1b') ? line : `${who}${line}`));
    expect(outline(lines.join('\n'))).toEqual(['4 RayWorkerWrapper RuntimeError 2-4', '5 raylet null -']);
    expect(troublesIn(lines.join('\n')).map(({ message }) => message)).toContain('NCCL error');
  });
});

describe("torchrun's block", () => {
  it('holds the traceback of a rank that recorded it, further in', () => {
    const text = `Traceback (most recent call last):
  File "/opt/venv/bin/torchrun", line 8, in <module>
    sys.exit(main())
torch.distributed.elastic.multiprocessing.errors.ChildFailedError: 
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
[1]:
  time      : 2025-11-30_02:33:21
  rank      : 1 (local_rank: 1)
  exitcode  : -9 (pid: 1183)
  error_file: <N/A>
  traceback : Signal 9 (SIGKILL) received by PID 1183
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2025-11-30_02:33:20
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 1182)
  error_file: /tmp/torchelastic_x/none_y/attempt_0/0/error.json
  traceback : Traceback (most recent call last):
    File "/opt/venv/lib/python3.12/site-packages/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 355, in wrapper
      return f(*args, **kwargs)
    File "/srv/train.py", line 5, in main
      raise RuntimeError("boom")
  RuntimeError: boom
  
============================================================
`;
    expect(outline(text, 'train')).toEqual([
      '4 torch.distributed.elastic.multiprocessing.errors.ChildFailedError 1-4',
      '27 RuntimeError 22-27',
    ]);
    const [, inner] = troublesIn(text, 'train');
    expect(inner?.traceback?.text.slice(1, 3)).toEqual([
      expect.stringMatching(/^ {2}File "/),
      '    return f(*args, **kwargs)',
    ]);
  });
});
