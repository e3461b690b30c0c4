import { describe, expect, it } from 'vitest';
import { judge } from '../../src/diagnosis/judge.ts';
import type { LogKind } from '../../src/log/events.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading } from '../../src/log/reading.ts';
import { Wrapping } from '../../src/log/wrapper.ts';

const LOG = [
  '=== Step 3: Training ===',
  '[09:04:43] INFO     Started distributed with local_rank=0,    distributed.py:163',
  '                    dp_size=2, sp_size=1                                        ',
  '           INFO     Training epoch 1/3 started                    trainer.py:642',
  '           INFO     train/loss=7.105, train/full_acc=0.111,       trainer.py:498',
  '                    epoch=0, lr=2.50e-04, global_step=20                        ',
  'Epoch 0 100% ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 40/40  [ 0:06:07 < 0:00:00 , 0 it/s ]',
  '[rank1]: Traceback (most recent call last):',
  '[rank1]:   File "train.py", line 694, in <module>',
  '[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
  '',
  'E0814 02:17:09.430000 30981 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: 1) local_rank: 1 (pid: 3) of binary: /venv/bin/python',
  'Traceback (most recent call last):',
  '  File "/venv/bin/torchrun", line 10, in <module>',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
];

const SERVER_LOG = [
  '(APIServer pid=7) INFO 11-30 07:41:56 [api_server.py:9] vLLM API server version 0.11.0',
  'Traceback (most recent call last):',
  '  File "serve.py", line 1, in main',
  'ValueError: no such model',
  '',
  'Killed',
];

function read(lines: readonly string[], kind: LogKind = 'train') {
  const reader = openLogReader({ kind, secrets: [], resume: null });
  const events = [...reader.feed(new TextEncoder().encode(`${lines.join('\n')}\n`)).events, ...reader.end().events];
  return { events, judged: judge(events.reduce(addEvent, emptyReading(kind)), { alive: false, exitCode: 1 }) };
}

describe('a log with something before every line', () => {
  it.each([
    '2026-08-11T09:04:31Z ',
    '2026-08-11T09:04:31.123456789Z ',
    '2026-08-11T09:04:31.123456789+00:00 stdout F ',
    '2026-08-11 09:04:31 ',
    '2026-08-11 09:04:31,250 | ',
    '[2026-08-11 09:04:31] ',
    'Aug 11 09:04:31 ',
    '09:04:31 ',
    '[09:04:31] ',
    '1786439071.512 ',
    'trainer-1  | ',
    'trainer-1  | 2026-08-11T09:04:31.123456789Z ',
    '0: ',
    '[default0]:',
  ])('%j is read as the one without it', (prefix) => {
    const { judged } = read(LOG.map((line) => prefix + line));
    expect(judged).toEqual(read(LOG).judged);
    expect(judged).toMatchObject({ verdict: 'failed', cause: { line: 10, process: 'rank1', category: 'cuda_oom' } });
    expect(judged.facts).toMatchObject({ step: 20, steps_per_epoch: 40, failed_rank: 1 });
  });

  it.each([
    '[web] ',
    '[deploy/vllm:server] ',
    'ERROR 2025-11-30T07:41:56.123Z ',
    'vllm-0 server ',
    'vllm-1  | ',
    '2025-11-30T07:41:56.123Z stderr F ',
    '2025-11-30T07:41:56+0000 gpu1 vllm[4411]: ',
    'Nov 30 07:41:56 gpu1 vllm[4411]: ',
    'Nov 30 07:41:56 ',
    '3: ',
  ])("%j is read as the one without it where it is a server's", (prefix) => {
    const { judged } = read(
      SERVER_LOG.map((line) => prefix + line),
      'serve',
    );
    expect(judged).toEqual(read(SERVER_LOG, 'serve').judged);
    expect(judged).toMatchObject({ cause: { line: 4, type: 'ValueError', message: 'no such model' } });
  });

  it('takes the time of what stands before a line that has none', () => {
    const { events } = read(LOG.map((line) => `2026-08-11 09:04:31 ${line}`));
    expect(events.find(({ kind }) => kind === 'trouble')?.stamp).toBe('08-11 09:04:31');
  });

  it("is none where it is a logger's own head or a rank's name", () => {
    for (const line of [
      '2026-08-11 09:04:47.513 | INFO     | speculators.utils.loading:_resolve_file:150 - Loading from local directory',
      '[2026-08-11 09:02:11] Step 1: start the target server',
      '[09:08:33] INFO     Training epoch 1/3 started',
      '[rank0]: [rank0]: Traceback (most recent call last):',
    ]) {
      const wrapping = new Wrapping('train', null);
      expect([wrapping.unwrap(line), wrapping.save()]).toEqual([{ text: line, stamp: null }, null]);
    }
  });
});
