import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Evidence, type Judgement, judge } from '../../src/diagnosis/judge.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading } from '../../src/log/reading.ts';

const ALIVE: Evidence = { alive: true, exitCode: null };
const DEAD: Evidence = { alive: false, exitCode: 1 };
const GOOD: Evidence = { alive: false, exitCode: 0 };

function judgeText(evidence: Evidence, ...lines: string[]): Judgement {
  const reader = openLogReader({ kind: 'train', secrets: [], resume: null });
  const events = [...reader.feed(new TextEncoder().encode(`${lines.join('\n')}\n`)).events, ...reader.end().events];
  return judge(events.reduce(addEvent, emptyReading('train')), evidence);
}

const seen = ({ verdict, cause }: Judgement) => [verdict, cause?.category ?? null, cause?.line ?? null];
const info = (text: string) => `[09:05:06] INFO     ${text}`;
const step = (n: number, loss = '4.1') => info(`train/loss=${loss}, train/full_acc=0.1, epoch=0, global_step=${n}`);
const ZERO = info('train/loss=0.00e+00, train/full_acc=0.00e+00, profile/tokens_per_s=0.00e+00, global_step=9');
const BANNER =
  'W0811 09:04:34.695000 20981 torch/distributed/run.py:852] Setting OMP_NUM_THREADS environment variable for each process to be 1';
const failed = (code: number, rank: number) =>
  `E0814 02:17:09.430000 30981 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: ${code}) local_rank: ${rank} (pid: 31042) of binary: /venv/bin/python`;
const block = (code: number, rank: number) => [
  'Traceback (most recent call last):',
  '  File "/venv/bin/torchrun", line 10, in <module>',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
  '============================================================',
  'Root Cause (first observed failure):',
  '[0]:',
  `  rank      : ${rank} (local_rank: ${rank})`,
  `  exitcode  : ${code} (pid: 31042)`,
];
const traceback = (prefix: string, ...exception: string[]) =>
  ['Traceback (most recent call last):', '  File "a.py", line 1, in f', ...exception].map((line) => prefix + line);
const LAST_EPOCH = [info('Training epoch 1/1 completed'), info('Checkpoint saved to /out/0')];
const CLOSED = info('Destroyed distributed process group');
const INTERRUPTED = '[09:16:00] WARNING  Received SIGTERM — interrupting training to save checkpoint.';

describe('the verdict on a training', () => {
  it('is starting until a step was made, then training', () => {
    expect(seen(judgeText(ALIVE, 'Waiting for vLLM server to be ready...'))).toEqual(['starting', null, null]);
    expect(seen(judgeText(ALIVE, step(0)))).toEqual(['training', null, null]);
  });

  it("is finished by the trainer's own end and exit code 0, or none to be known", () => {
    const log = [info('Training epoch 1/1 started'), step(0), ...LAST_EPOCH, CLOSED];
    expect(judgeText(GOOD, ...log)).toMatchObject({ verdict: 'finished', progress: { done: 1, total: 1 } });
    expect(judgeText({ alive: false, exitCode: null }, ...log).verdict).toBe('finished');
    expect(judgeText(ALIVE, ...log).verdict).toBe('training');
  });

  it('is stopped when it was interrupted, although it ends with 0 and its script says that it is done', () => {
    const log = [info('Training epoch 1/3 started'), step(0), INTERRUPTED, CLOSED, 'Done. Checkpoints saved to /out'];
    expect(seen(judgeText(GOOD, ...log))).toEqual(['stopped', null, null]);
  });

  it('is stopped when it was interrupted over a loss that is no number, which remains the cause', () => {
    const log = [info('Training epoch 1/3 started'), step(0), step(1, 'nan'), step(2, 'nan'), INTERRUPTED, CLOSED];
    expect(seen(judgeText(GOOD, ...log))).toEqual(['stopped', 'nan_loss', 3]);
    expect(seen(judgeText(DEAD, ...log.slice(0, 4)))).toEqual(['failed', 'nan_loss', 3]);
  });

  it('is stopped when torchrun was asked to end, whatever its ranks say then', () => {
    const log = [
      step(0),
      'W0814 02:16:39.882000 309 torch/distributed/elastic/agent/server/api.py:719] Received Signals.SIGINT death signal, shutting down workers',
      ...traceback('[rank0]: ', 'RuntimeError: DataLoader worker (pid 7) is killed by signal: Terminated.'),
      ...traceback('', 'torch.distributed.elastic.multiprocessing.api.SignalException: Process 1137 got signal: 2'),
    ];
    expect(seen(judgeText(DEAD, ...log))).toEqual(['stopped', null, null]);
  });

  it('is not finished by exit code 0 alone: a resume of a run that was complete', () => {
    expect(judgeText(GOOD, info('Found checkpoint at /out/4.'), CLOSED, 'Done. Checkpoints saved').verdict).toBe(
      'stopped',
    );
  });

  it('is finished in the middle of the epochs when the trainer closes behind one that is over, as with --max-steps', () => {
    const log = [info('Training epoch 1/20 started'), step(9), info('Training epoch 1/20 completed')];
    expect(judgeText(GOOD, ...log, info('Checkpoint saved to /out/0'), CLOSED).verdict).toBe('finished');
    expect(judgeText(GOOD, ...log, 'Done. Checkpoints saved to /out').verdict).toBe('finished');
    expect(judgeText(GOOD, ...log.slice(0, 2), 'Done. Checkpoints saved to /out').verdict).toBe('stopped');
  });

  it('is failed when the last checkpoint could not be saved, whatever the script says and ends with', () => {
    const full = traceback('', 'OSError: [Errno 28] No space left on device');
    const log = [info('Training epoch 1/1 started'), step(9), info('Training epoch 1/1 completed'), ...full];
    for (const exitCode of [0, 1, null]) {
      const judged = judgeText({ alive: false, exitCode }, ...log, 'Done. Checkpoints saved to /out');
      expect(seen(judged)).toEqual(['failed', 'disk_full', 6]);
      const killed = judgeText({ alive: false, exitCode }, ...log.slice(0, 3), failed(-9, 1), ...block(-9, 1), 'Done.');
      expect(seen(killed)).toEqual(['failed', 'host_oom_killed', 4]);
    }
  });

  it('stays what it is when the script lists its steps and their times at the end', () => {
    const log = [
      '=== Step 2: Training ===',
      step(0),
      ...LAST_EPOCH,
      'Done.',
      'Step 1: Preparing data: 26s',
      'Step 1 took 26s',
    ];
    expect(judgeText(GOOD, ...log)).toMatchObject({ verdict: 'finished', facts: { step: 0 } });
  });

  it('counts from the launch that follows a wait in vain, not from what a script prints while it ends', () => {
    const first = ['Launching vLLM server...', 'ERROR: vLLM server not ready after 600s'];
    const end = ['Stopping vLLM server...', 'Waiting for vLLM server to exit...'];
    expect(seen(judgeText(DEAD, ...first, ...end))).toEqual(['failed', 'engine_dead', 2]);
    expect(seen(judgeText(ALIVE, ...first, ...end, 'Launching vLLM server...'))).toEqual(['starting', null, null]);
  });

  it('counts from the second Step 1 where the first one failed', () => {
    const heading = '=== Step 1: Preparing data ===';
    const first = [heading, ...traceback('', "ModuleNotFoundError: No module named 'datasets'")];
    const judged = judgeText(DEAD, ...first, heading, ...traceback('', "KeyError: 'x'"));
    expect(judged.cause).toMatchObject({ line: 8, type: 'KeyError' });
  });

  it('counts from the last start in the file, but ranks that torchrun starts again are none', () => {
    const first = [BANNER, info('Started distributed with local_rank=0, world_size=2'), step(40)];
    const end = [...traceback('[rank1]: ', 'ValueError: x'), failed(1, 1)];
    const again = judgeText(ALIVE, ...first, ...end, ...block(1, 1), ...first.slice(0, 2));
    expect([again.verdict, again.facts.step]).toEqual(['starting', undefined]);
    const restarted = judgeText(GOOD, ...first, ...end, ...first.slice(1, 2), ...LAST_EPOCH, CLOSED);
    expect(restarted).toMatchObject({ verdict: 'finished', facts: { step: 40 } });
  });
});

describe('the cause of a failed training', () => {
  it('is the first failing rank, not what survivors and torchrun print', () => {
    const log = [
      step(0),
      ...traceback('[rank2]: ', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB.'),
      ...traceback('[rank1]: ', 'RuntimeError: x'),
      INTERRUPTED,
      failed(1, 2),
      ...block(1, 2),
    ];
    const judged = judgeText(DEAD, ...log);
    expect(seen(judged)).toEqual(['failed', 'cuda_oom', 4]);
    expect(judged.facts).toMatchObject({ failed_rank: 2, exitcode_of_rank: 1, ranks: 3, tried_gib: 0.5 });
  });

  it('is the rank that was killed without a word', () => {
    const judged = judgeText(DEAD, step(0), failed(-9, 1), ...block(-9, 1));
    expect(seen(judged)).toEqual(['failed', 'host_oom_killed', 2]);
    expect(judged.cause?.process).toBe('rank1');
  });

  it("is a data worker's own exception, not the rank's words around it", () => {
    const log = traceback(
      '[rank0]: ',
      'ValueError: Caught ValueError in DataLoader worker process 0.',
      'Original Traceback (most recent call last):',
      '  File "b.py", line 2, in g',
      "ValueError: An explicit model name was passed, but 'a/b' doesn't match found model_id '/m/b'",
    );
    expect(seen(judgeText(DEAD, ...log, failed(1, 0), ...block(1, 0)))).toEqual(['failed', 'bad_argument', 6]);
  });

  it('is no exception that two more steps show to be caught', () => {
    const caught = traceback('', 'openai.APITimeoutError: Request timed out.');
    const oom = traceback('', 'torch.OutOfMemoryError: CUDA out of memory.');
    const log = [step(0), ...caught, step(1), step(2)];
    expect(seen(judgeText(DEAD, ...log, ...oom))).toEqual(['failed', 'cuda_oom', 9]);
    expect(judgeText(DEAD, step(0), ...caught).cause).toMatchObject({ line: 4 });
  });

  it('is no try of the wait for a target that became ready', () => {
    const tries = ['vLLM not ready after 30s', 'vLLM not ready after 60s', 'vLLM ready after 65s'];
    const oom = traceback('', 'torch.OutOfMemoryError: CUDA out of memory.');
    expect(seen(judgeText(DEAD, ...tries, step(0), ...oom))).toEqual(['failed', 'cuda_oom', 7]);
    expect(seen(judgeText(ALIVE, ...tries, step(0)))).toEqual(['training', null, null]);
  });

  it.each([
    'slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0.',
    '[2026-08-11 09:12:11,123] [ERROR] [launch.py:325:sigkill_handler] ["/venv/bin/python"] exits with return code = -9',
  ])('is a kill that only %j tells', (line) => {
    expect(seen(judgeText(DEAD, step(0), line))).toEqual(['failed', 'host_oom_killed', 2]);
  });

  it("is the script's own line when the target never became ready, with the target's words where they are known", () => {
    const log = ['Launching target', '2026-05-09T15:08:40Z ERROR: target not ready after 600s, giving up'];
    expect(seen(judgeText(DEAD, ...log))).toEqual(['failed', 'engine_dead', 2]);
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    const bytes = readFileSync(new URL('../corpus/train/03-target-never-ready/vllm.log', import.meta.url));
    const events = [...reader.feed(bytes).events, ...reader.end().events];
    const { cause: target } = judge(events.reduce(addEvent, emptyReading('serve')), DEAD);
    const judged = judgeText({ ...DEAD, target }, ...log);
    expect(seen(judged)).toEqual(['failed', 'gpu_count_mismatch', 2]);
    expect(judged.cause).toMatchObject({ title: target?.title, remedy: target?.remedy, type: null, process: null });
  });
});

describe('what a log proves of a training that goes on', () => {
  it('is a loss that stays no number, from its first record on', () => {
    const judged = judgeText(ALIVE, step(0), step(1, 'nan'), step(2, 'nan'));
    expect(seen(judged)).toEqual(['training', 'nan_loss', 2]);
    expect(judged.facts).toMatchObject({ first_nan_step: 1, loss: 'nan' });
    expect(seen(judgeText(ALIVE, step(0), step(1, 'nan'), step(2)))).toEqual(['training', null, null]);
  });

  it('is a target that gives no more data; what its workers said before is no trouble without that', () => {
    const retry = 'Request aborted (attempt 1/4): Connection error.. Retrying in 2s...';
    expect(seen(judgeText(ALIVE, step(0), retry, step(1)))).toEqual(['training', null, null]);
    expect(seen(judgeText(ALIVE, step(0), retry, ZERO))).toEqual(['training', 'engine_dead', 2]);
  });

  it('is the target that dies in the same file, unless it was stopped on purpose', () => {
    const dead = traceback('(EngineCore pid=3) ', 'RuntimeError: x');
    const up = ['(APIServer pid=2) INFO:     Application startup complete.', step(0)];
    expect(seen(judgeText(ALIVE, ...up, ...dead))).toEqual(['training', 'engine_dead', 5]);
    expect(seen(judgeText(ALIVE, ...up, 'Stopping vLLM server...', ...dead))).toEqual(['training', null, null]);
  });

  it('is a rank that raised, not the retries and skipped samples of data workers', () => {
    const skipped =
      '/w/data.py:300: UserWarning: Failed to load/cache hidden states for sample 118: Request timed out.';
    expect(seen(judgeText(ALIVE, step(0), skipped))).toEqual(['training', null, null]);
    const raised = traceback('[rank1]: ', 'RuntimeError: CUDA error: out of memory');
    expect(seen(judgeText(ALIVE, step(0), ...raised))).toEqual(['training', 'cuda_oom', 4]);
  });
});
