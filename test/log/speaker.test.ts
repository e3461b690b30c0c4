import { describe, expect, it } from 'vitest';
import { NOBODY, parseSpoken } from '../../src/log/speaker.ts';

describe('the speaker of a piece', () => {
  it.each([
    ['(Worker_TP0 pid=22262) INFO 05-19 13:02:44 [a.py:1] x', 'Worker_TP0', 22262, 'x'],
    ['(VllmWorker rank=1 pid=7) WARNING 05-19 13:02:44 [a.py:1] x', 'VllmWorker rank=1', 7, 'x'],
    [
      '(APIServer pid=1) (EngineCore_DP0 pid=68) ERROR 05-19 13:02:44 [a.py:1]   File "b"',
      'EngineCore_DP0',
      68,
      '  File "b"',
    ],
    [
      '(RayWorkerWrapper pid=2210, ip=192.0.2.21) INFO 03-04 11:30:43 cuda.py:229] x [repeated 6x across cluster]',
      'RayWorkerWrapper',
      2210,
      'x',
    ],
    ['(APIServer pid=1) INFO:     Application startup complete.', 'APIServer', 1, 'Application startup complete.'],
    ['[rank1]:[W429 06:13:30.331906127 ProcessGroupNCCL.cpp:1575] Warning: x', 'rank1', null, 'Warning: x'],
    ['[rank0]: ValueError: x', 'rank0', null, 'ValueError: x'],
    ['[2025-12-29 05:51:31 TP1] Init torch distributed begin.', 'TP1', null, 'Init torch distributed begin.'],
    ['[2025-12-29 05:52:00] INFO:     Started server process [9]', null, null, 'Started server process [9]'],
    [
      '2026-08-28 16:21:51,104 - INFO - autotuner.py:829 - flashinfer.jit: [Autotuner]: starts',
      null,
      null,
      '[Autotuner]: starts',
    ],
    ['2026-08-28T16:21:51.104Z stdout F (APIServer pid=1) INFO 05-19 13:02:44 [a.py:1] x', 'APIServer', 1, 'x'],
    ['vllm-1  | (APIServer pid=1) INFO 05-19 13:02:44 [a.py:1] x', 'APIServer', 1, 'x'],
    ['vllm-1  |     self.run()', null, null, '    self.run()'],
    ['my-prefix INFO 05-19 13:02:44 [a.py:1] x', null, null, 'x'],
    ['{"levelname": "INFO", "message": "x"}', null, null, 'x'],
    ['plain (pid=3) text', null, null, 'plain (pid=3) text'],
    ['[E ProcessGroupNCCL.cpp:474] [Rank 0] x', 'rank0', null, '[Rank 0] x'],
    ['[E1130 20:22:33.1 ProcessGroupNCCL.cpp:474] [PG 0 Rank 3] x', 'rank3', null, '[PG 0 Rank 3] x'],
    ['(raylet, ip=192.0.2.21) x', 'raylet', null, 'x'],
    ['(autoscaler +1m5s) x', 'autoscaler', null, 'x'],
    ['Nov 30 07:41:56 gpu1 vllm[4411]: (APIServer pid=7)   x', 'APIServer', 7, '  x'],
    ['Nov 30 07:41:56 gpu1 kernel: x', null, null, 'x'],
    ['2025-11-30T07:41:56.1Z stderr F   x', null, null, '  x'],
    ['2025-11-30T07:41:56+0000 gpu1 vllm[4411]:   x', null, null, '  x'],
    ['2025-11-30T07:41:56.1Z', null, null, ''],
    ['2025-11-30T07:41:56.1Z stderr F', null, null, ''],
    ['2025-11-30T07:41:56.1Z |   x', null, null, '  x'],
    ['vllm-1  |', null, null, ''],
    ['{"log":"(W pid=3)   x\\r\\n","stream":"stderr","time":"2025-11-30T07:41:56.1Z"}', 'W', 3, '  x'],
  ])('of %j', (text, process, pid, message) => {
    expect(parseSpoken(text, NOBODY)).toMatchObject([{ process, pid, message }]);
  });

  it('takes a line of torch off the end of a bar', () => {
    const glued = ' 38%|███ | 30/80 [00:20<00:01, 30.28it/s][rank1]: Traceback (most recent call last):';
    expect(parseSpoken(glued, NOBODY).map(({ process, message }) => [process, message])).toEqual([
      [null, ' 38%|███ | 30/80 [00:20<00:01, 30.28it/s]'],
      ['rank1', 'Traceback (most recent call last):'],
    ]);
  });

  it('takes glued lines apart', () => {
    const glued =
      'DeepGEMM warmup:   1%| | 99/9216 [01:48<2:45:45,  1.09s/it](EngineCore_DP0 pid=317) INFO 02-09 02:21:21 [a.py:1] x';
    expect(parseSpoken(glued, NOBODY).map(({ process, message }) => [process, message])).toEqual([
      [null, 'DeepGEMM warmup:   1%| | 99/9216 [01:48<2:45:45,  1.09s/it]'],
      ['EngineCore_DP0', 'x'],
    ]);
  });
});
