import { describe, expect, it } from 'vitest';
import type { TeamRow } from '../../src/config/config.ts';
import { judge } from '../../src/diagnosis/judge.ts';
import type { Evidence, Judgement } from '../../src/diagnosis/judgement.ts';
import { ruledOut } from '../../src/diagnosis/ruled-out.ts';
import { parseLinearPattern } from '../../src/linear-pattern.ts';
import type { LogKind } from '../../src/log/events.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';

const DEAD: Evidence = { alive: false, exitCode: 1 };
const START = 'INFO 04-29 06:13:29 [a.py:1] vLLM API server version 0.20.1';
const READY = ['INFO:     Started server process [1]', 'INFO:     Application startup complete.'];
const OOM = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB.';
const WATCHDOG =
  '[rank1]:[E1130 07:41:56.120 ProcessGroupNCCL.cpp:629] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600002 milliseconds before timing out.';
const traceback = (prefix: string, exception: string): string[] =>
  ['Traceback (most recent call last):', '  File "a.py", line 1, in f', exception].map((line) => prefix + line);

function read(kind: LogKind, lines: readonly string[]): Reading {
  const reader = openLogReader({ kind, secrets: [], resume: null });
  const events = [...reader.feed(Buffer.from(`${lines.join('\n')}\n`)).events, ...reader.end().events];
  return events.reduce(addEvent, emptyReading(kind));
}

function judged(kind: LogKind, lines: readonly string[], evidence = DEAD): { reading: Reading; judgement: Judgement } {
  const reading = read(kind, lines);
  return { reading, judgement: judge(reading, evidence) };
}

describe('a cascade', () => {
  const log = [START, WATCHDOG, ...traceback('(Worker_TP0 pid=2) ', OOM)];

  it('has its cause in the row that hides the others, though those were printed first', () => {
    expect(judged('serve', log).judgement.cause).toMatchObject({ line: 5, row: 'gpu-oom', category: 'cuda_oom' });
    expect(judged('serve', log.slice(0, 2)).judgement.cause).toMatchObject({ line: 2, row: 'nccl-timeout' });
  });

  it('is ruled out line by line, each with its reason', () => {
    const pointer = 'RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}';
    const all = [...log, ...traceback('(EngineCore pid=3) ', OOM), ...traceback('(APIServer pid=1) ', pointer)];
    const { reading, judgement } = judged('serve', all);
    expect(ruledOut(reading, judgement)).toEqual([
      {
        line: 2,
        what: expect.stringMatching(/^\[Rank 1\] Watchdog caught collective/),
        why: 'It follows from line 5 (The GPU ran out of memory): all ranks take part in each exchange; one hung or died before, and this one gave up waiting.',
      },
      { line: 8, what: OOM, why: 'EngineCore failed in the same way, after line 5.' },
      {
        line: 11,
        what: expect.stringMatching(/^RuntimeError: Engine core/),
        why: 'It only says that something else failed: line 5 (The GPU ran out of memory).',
      },
    ]);
  });

  it("rules out a client's bad request of a server that went on", () => {
    const { reading, judgement } = judged(
      'serve',
      [START, ...READY, ...traceback('(APIServer pid=1) ', 'ValueError: too long')],
      {
        alive: true,
        exitCode: null,
      },
    );
    expect(judgement.cause).toBeNull();
    expect(ruledOut(reading, judgement)).toEqual([
      {
        line: 6,
        what: 'ValueError: too long',
        why: 'It is a request that the server refused or failed; the server went on.',
      },
    ]);
  });

  it('is told by a killed worker, where the time-outs of the others come after it, and by them where they came before', () => {
    const killed =
      '(EngineCore pid=3) ERROR 04-29 06:14:29 [m.py:1] Worker proc VllmWorker-1 died unexpectedly, shutting down executor.';
    expect(judged('serve', [START, killed, WATCHDOG]).judgement.cause).toMatchObject({
      line: 2,
      row: 'worker-vanished',
    });
    expect(judged('serve', [START, WATCHDOG, killed]).judgement.cause).toMatchObject({ line: 2, row: 'nccl-timeout' });
  });

  it('is no rank that crashed by itself: it comes first where it stands first, although others gave up waiting for it', () => {
    const crashed =
      'E0814 02:16:39.882000 309 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -11) local_rank: 0 (pid: 31042) of binary: /venv/bin/python';
    const aborted = crashed.replace('-11', '-6');
    expect(judged('train', [crashed, WATCHDOG]).judgement.cause).toMatchObject({ line: 1, row: 'rank-crashed' });
    expect(judged('train', [aborted, WATCHDOG]).judgement.cause).toMatchObject({ line: 2, row: 'rank-nccl-timeout' });
    expect(judged('train', [aborted]).judgement.cause).toMatchObject({ line: 1, row: 'rank-aborted' });
  });

  it('passes over a plugin that was not loaded, which vLLM lives through', () => {
    const plugin = [
      'ERROR 09-29 13:30:56 [__init__.py:52] Traceback (most recent call last):',
      'ERROR 09-29 13:30:56 [__init__.py:52]   File "/v/vllm/plugins/__init__.py", line 49, in load_plugins_by_group',
      "ERROR 09-29 13:30:56 [__init__.py:52] ModuleNotFoundError: No module named 'terratorch.vllm'",
    ];
    expect(judged('serve', [START, ...plugin, ...traceback('', OOM)]).judgement.cause).toMatchObject({ line: 7 });
    expect(judged('serve', [START, ...plugin]).judgement.cause).toMatchObject({ line: 4, row: 'module-missing' });
  });

  it('rules nothing out where the log has one trouble only, the cause', () => {
    const { reading, judgement } = judged('serve', [START, ...traceback('', OOM)]);
    expect(judgement.cause?.line).toBe(4);
    expect(ruledOut(reading, judgement)).toEqual([]);
  });
});

describe("a team's own row", () => {
  const team = (pattern: string, changes: Partial<TeamRow> = {}): TeamRow => {
    const parsed = parseLinearPattern(pattern);
    if ('wrong' in parsed) throw new Error(parsed.wrong);
    return { pattern: parsed, title: 'Ours', advice: 'Ask Ada.', category: null, kind: null, ...changes };
  };
  const causeWith = (...teamRows: TeamRow[]) =>
    judged('serve', [START, ...traceback('', OOM)], { ...DEAD, teamRows }).judgement.cause;

  it('gives title and remedy; the category, the reason and the place stay', () => {
    expect(causeWith(team('cuda out of memory'))).toMatchObject({
      line: 4,
      row: 'team',
      title: 'Ours',
      remedy: 'Ask Ada.',
      category: 'cuda_oom',
      why: expect.stringMatching(/\S/),
      fingerprint: causeWith()?.fingerprint,
    });
  });

  it('may give the category, and is tried in the order of the file and in its kind of log only', () => {
    expect(
      causeWith(team('memory', { kind: 'train' }), team('memory', { title: 'Second', category: 'disk_full' })),
    ).toMatchObject({
      title: 'Second',
      category: 'disk_full',
    });
    expect(causeWith(team('memory', { kind: 'train' }), team('nothing like it'))).toMatchObject({ row: 'gpu-oom' });
  });

  it('makes no failure of what is none', () => {
    const log = [START, ...READY, ...traceback('(APIServer pid=1) ', 'ValueError: too long')];
    const evidence = { alive: true, exitCode: null, teamRows: [team('too long')] };
    expect(judged('serve', log, evidence).judgement).toMatchObject({ verdict: 'ready', cause: null });
  });
});
