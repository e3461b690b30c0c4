import { describe, expect, it } from 'vitest';
import { type Evidence, type Judgement, judge } from '../../src/diagnosis/judge.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading } from '../../src/log/reading.ts';

const READY = ['INFO:     Started server process [1]', 'INFO:     Application startup complete.'];
const BYE = ['INFO:     Shutting down', 'INFO:     Application shutdown complete.'];
const START = 'INFO 04-29 06:13:29 [a.py:1] vLLM API server version 0.20.1';
const traceback = (prefix: string, exception: string): string[] =>
  ['Traceback (most recent call last):', '  File "a.py", line 1, in f', exception].map((line) => prefix + line);
const DEAD: Evidence = { alive: false, exitCode: 1 };

function judgeText(evidence: Evidence, ...lines: string[]): Judgement {
  const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
  const events = [...reader.feed(new TextEncoder().encode(`${lines.join('\n')}\n`)).events, ...reader.end().events];
  return judge(events.reduce(addEvent, emptyReading('serve')), evidence);
}

const seen = ({ verdict, cause }: Judgement) => [verdict, cause?.category ?? null, cause?.line ?? null];

describe('the verdict', () => {
  it('on an empty log follows the process alone', () => {
    expect(seen(judgeText({ alive: true, exitCode: null }))).toEqual(['starting', null, null]);
    expect(seen(judgeText(DEAD))).toEqual(['failed', null, null]);
  });

  it("passes over the other ranks' broken connections to the first failure of its own", () => {
    const log = [
      START,
      ...traceback('(Worker_TP1 pid=3) ', 'RuntimeError: Connection closed by peer [127.0.0.1]:3'),
      ...traceback('(Worker_TP0 pid=2) ', 'torch.OutOfMemoryError: CUDA out of memory.'),
    ];
    expect(seen(judgeText(DEAD, ...log))).toEqual(['failed', 'cuda_oom', 7]);
  });

  it('takes a pointer for the cause only when nothing else is there', () => {
    const pointer = traceback(
      '(APIServer pid=1) ',
      'RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}',
    );
    expect(seen(judgeText(DEAD, START, ...pointer))).toEqual(['failed', 'host_oom_killed', 4]);
    const cause = traceback('(EngineCore pid=2) ', "ModuleNotFoundError: No module named 'x'");
    expect(seen(judgeText(DEAD, START, ...cause, ...pointer))).toEqual(['failed', 'missing_module', 4]);
  });

  it('takes the most telling of a chain', () => {
    const between = ['', 'During handling of the above exception, another exception occurred:', ''];
    const log = [
      START,
      ...traceback('', "KeyError: 'gpt_oss'"),
      ...between,
      ...traceback(
        '',
        'ValueError: The checkpoint has model type `gpt_oss` but Transformers does not recognize this architecture.',
      ),
    ];
    expect(seen(judgeText(DEAD, ...log))).toEqual(['failed', 'unsupported_model', 10]);
  });

  it('on a ready server is not disturbed by bad requests', () => {
    const log = [
      START,
      ...READY,
      ...traceback('(APIServer pid=1) ', 'ValueError: too long'),
      'INFO:     1.2.3.4:5 - "POST /v1/x HTTP/1.1" 400 Bad Request',
    ];
    expect(seen(judgeText({ alive: true, exitCode: null }, ...log))).toEqual(['ready', null, null]);
    expect(seen(judgeText({ alive: false, exitCode: 0 }, ...log, ...BYE))).toEqual(['stopped', null, null]);
  });

  it('on a server whose engine died is failed although it shut down in good order with status 0', () => {
    const log = [
      START,
      ...READY,
      '(EngineCore pid=2) ERROR 04-29 06:13:29 [m.py:1] Worker proc VllmWorker-1 died unexpectedly, shutting down executor.',
      ...BYE,
    ];
    expect(seen(judgeText({ alive: false, exitCode: 0 }, ...log))).toEqual(['failed', 'host_oom_killed', 4]);
    const gone = log.map((line) => line.replace(/Worker proc.*/, 'Engine core proc EngineCore_DP0 died unexpectedly.'));
    expect(seen(judgeText({ alive: false, exitCode: 0 }, ...gone))).toEqual(['failed', 'engine_dead', 4]);
  });

  it('knows an engine by its frames where lines name no process', () => {
    const engine = [
      'ERROR 06-02 08:21:00 [core.py:398] Traceback (most recent call last):',
      'ERROR 06-02 08:21:00 [core.py:398]   File "/v/vllm/v1/engine/core.py", line 389, in run_engine_core',
      'ERROR 06-02 08:21:00 [core.py:398] RuntimeError: Failed to find C compiler.',
    ];
    const dead = traceback('ERROR 06-02 08:21:04 [async_llm.py:399] ', 'vllm.v1.engine.exceptions.EngineDeadError: x');
    const request = traceback('ERROR 06-02 08:20:00 [serving_chat.py:200] ', 'ValueError: too long');
    const log = [START, ...READY, ...request, ...engine, ...dead, ...BYE];
    expect(seen(judgeText({ alive: false, exitCode: 0 }, ...log))).toEqual(['failed', 'toolchain', 9]);
  });

  it('tells a dead engine of a server that still lives', () => {
    const log = [
      START,
      ...READY,
      ...traceback('(EngineCore pid=2) ', 'TimeoutError: RPC call to execute_model timed out.'),
    ];
    expect(seen(judgeText({ alive: true, exitCode: null }, ...log))).toEqual(['ready', 'engine_dead', 6]);
  });

  it('on a start that was interrupted is stopped', () => {
    const log = [START, ...traceback('(APIServer pid=1) ', 'KeyboardInterrupt: terminated')];
    for (const exitCode of [130, -15, 143, 0])
      expect(seen(judgeText({ alive: false, exitCode }, ...log))).toEqual(['stopped', null, null]);
  });

  it.each([
    ['/bin/bash: line 1: exec: vllm: not found', 'The command was not found', '`vllm` is not on the PATH'],
    ['bash: line 2: vllm: command not found', 'The command was not found', '`vllm` is not on the PATH'],
    ['sh: exec: line 0: vllm: not found', 'The command was not found', '`vllm` is not on the PATH'],
    ['setsid: failed to execute vllm: No such file or directory', 'The command was not found', '`vllm` is not on'],
    ['dash: 1: /opt/vllm/bin/vllm: not found', 'The command was not found', '`/opt/vllm/bin/vllm` is not there'],
    ['bash: /opt/x: cannot execute: required file not found', 'The command was not found', 'the interpreter'],
    ['bash: line 1: exec: /opt/x: cannot execute: Permission denied', 'The command may not be run', 'chmod +x /opt/x'],
    ['dash: 1: exec: /opt/x: Permission denied', 'The command may not be run', 'chmod +x /opt/x'],
    ['setsid: failed to execute /opt/x: Permission denied', 'The command may not be run', 'chmod +x /opt/x'],
    ['bash: line 1: /opt/a: No such file or directory', 'A file that the shell was to read is not there', '`/opt/a`'],
    ['dash: 1: .: cannot open /opt/a: No such file', 'A file that the shell was to read is not there', '`/opt/a`'],
    [
      "sh: .: line 0: can't open '/opt/a': No such file or directory",
      'A file that the shell was to read is not there',
      '`/opt/a`',
    ],
  ])('explains what the shell says: %j', (line, title, words) => {
    const { verdict, cause } = judgeText({ alive: false, exitCode: 127 }, line);
    expect([verdict, cause?.title]).toEqual(['failed', title]);
    expect(cause?.remedy).toContain(words);
  });

  it('takes the first thing that the shell missed, and none of them once the server says why', () => {
    const missed = ['bash: line 1: /opt/a/activate: No such file or directory', 'bash: line 2: exec: vllm: not found'];
    expect(seen(judgeText({ alive: false, exitCode: 127 }, ...missed))).toEqual(['failed', 'bad_argument', 1]);
    const log = [
      START,
      'sh: 1: /sbin/ldconfig: not found',
      ...traceback('', 'RuntimeError: CUDA error: out of memory'),
    ];
    expect(seen(judgeText(DEAD, ...log))).toEqual(['failed', 'cuda_oom', 5]);
  });

  it('on a killed server is failed', () => {
    expect(seen(judgeText({ alive: false, exitCode: -9 }, START, ...READY))).toEqual(['failed', null, null]);
  });

  it('does not take a logged traceback of a start that goes on for its end', () => {
    const log = [START, ...traceback('(EngineCore pid=2) ', 'ImportError: optional plugin')];
    expect(seen(judgeText({ alive: true, exitCode: null }, ...log))).toEqual(['starting', null, null]);
  });
});
