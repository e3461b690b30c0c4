import { describe, expect, it } from 'vitest';
import { outline, troublesIn } from './troubles-in.ts';

const HEAD = 'Traceback (most recent call last):';
const FRAME = '  File "/srv/a.py", line 1, in run';

describe('an exception line', () => {
  it.each([
    ['torch.cuda.OutOfMemoryError: CUDA out of memory.', 'torch.cuda.OutOfMemoryError', 'CUDA out of memory.'],
    [
      'huggingface_hub.utils._errors.GatedRepoError: 401 Client Error',
      'huggingface_hub.utils._errors.GatedRepoError',
      '401 Client Error',
    ],
    ['jinja2.exceptions.TemplateSyntaxError: bad', 'jinja2.exceptions.TemplateSyntaxError', 'bad'],
    ['AssertionError', 'AssertionError', ''],
    ['_queue.Empty', '_queue.Empty', ''],
    ['Empty', 'Empty', ''],
    ['zmq.error.Again: Resource temporarily unavailable', 'zmq.error.Again', 'Resource temporarily unavailable'],
    ['asyncio.exceptions.CancelledError', 'asyncio.exceptions.CancelledError', ''],
    ['StopIteration', 'StopIteration', ''],
    ['MyFail', 'MyFail', ''],
    ['MyFail: a: b', 'MyFail', 'a: b'],
    ['HTTPFailed: 502', 'HTTPFailed', '502'],
    ['f.<locals>.Local: x', 'f.<locals>.Local', 'x'],
    ['struct.error: unpack requires a buffer of 8 bytes', 'struct.error', 'unpack requires a buffer of 8 bytes'],
    ['pyo3_runtime.PanicException: index out of bounds', 'pyo3_runtime.PanicException', 'index out of bounds'],
    ['RuntimeError: <exception str() failed>', 'RuntimeError', '<exception str() failed>'],
    ["KeyError: 'model: name'", 'KeyError', "'model: name'"],
  ])('%s', (line, type, message) => {
    expect(troublesIn([HEAD, FRAME, line].join('\n'))).toMatchObject([{ line: 3, type, message }]);
  });

  it.each(['warmup.py: done', 'model.safetensors: 100%', 'Loading weights', 'Capturing graphs: now', 'vLLM'])(
    'is not %j, which another process wrote among the frames',
    (line) => {
      expect(outline([HEAD, FRAME, line, '    run()', 'ValueError: x'].join('\n'))).toEqual(['5 ValueError 1-5']);
    },
  );

  it('of a logger record may be of any class', () => {
    const text = [HEAD, FRAME, 'failed: x'].map((line) => `ERROR 04-29 06:13:29 [core.py:9] ${line}`).join('\n');
    expect(outline(text)).toEqual(['3 failed 1-3']);
  });
});

describe('a message', () => {
  it('of pydantic goes on over its indented lines', () => {
    const text = `${HEAD}
${FRAME}
pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig
  Value error, The checkpoint has model type 'x'. [type=value_error, input_value=ArgsKwargs((), {}), input_type=ArgsKwargs]
    For further information visit https://errors.pydantic.dev/2.12/v/value_error
(APIServer pid=1) INFO 04-29 06:13:29 [a.py:1] x`;
    expect(outline(text)).toEqual(['3 pydantic_core._pydantic_core.ValidationError 1-5']);
  });

  it('of torch.compile keeps its blank lines and the exception that it names', () => {
    const text = `${HEAD}
${FRAME}
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
RuntimeError: Triton Error [CUDA]: device kernel image is invalid

Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace

W1130 02:33:21.399000 1137 torch/_dynamo/x.py:1] next`;
    expect(outline(text)).toEqual(['3 torch._dynamo.exc.BackendCompilerFailed 1-6']);
  });

  it('holds the notes that were added to it', () => {
    const [found] = troublesIn([HEAD, FRAME, 'ValueError: x', 'a note', 'another'].join('\n'));
    expect(found?.message).toBe('x\na note\nanother');
  });

  it('holds the C++ stack of a c10::Error, unless C++ printed that itself', () => {
    const own = [
      HEAD,
      FRAME,
      'torch.distributed.DistBackendError: NCCL error in: /x/NCCLUtils.cpp:77',
      'Exception raised from create at /x/NCCLUtils.hpp:268 (most recent call first):',
      'frame #0: c10::Error::Error() + 0x96',
    ];
    expect(outline(own.join('\n'))).toEqual(['3 torch.distributed.DistBackendError 1-5']);
    const other = own.toSpliced(3, 0, '[rank1]:[E1108 17:36:12.700918244 ProcessGroupNCCL.cpp:2068] [Rank 1] hung');
    expect(outline(other.join('\n'))).toEqual(['3 torch.distributed.DistBackendError 1-3']);
  });

  it.each([
    'Process SpawnProcess-2:',
    'Exception in thread Thread-3 (_monitor):',
    'gpu1:419:419 [0] NCCL WARN Cuda failure 2',
    'gpu1:419:623 [1] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer',
    'free(): invalid pointer',
    'Aborted (core dumped)',
    './serve.sh: line 12:  4411 Killed                  vllm serve /models/m',
    "thread '<unnamed>' panicked at src/lib.rs:12:5:",
    '*** SIGSEGV received at time=1732998153 on cpu 3 ***',
    'slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0.',
    'Task exception was never retrieved',
    '--- Logging error ---',
    '/usr/lib/x.py:279: UserWarning: leaked',
  ])('ends where %j begins', (line) => {
    const [found] = troublesIn([HEAD, FRAME, 'ValueError: x', line, 'and more of that'].join('\n'));
    expect(found).toMatchObject({ message: 'x', traceback: { first: 1, last: 3 } });
  });
});

describe('chains', () => {
  const chain = (sentence: string) => [
    HEAD,
    FRAME,
    'KeyError: 1',
    '',
    sentence,
    '',
    HEAD,
    FRAME,
    'ValueError: 2',
    'more',
  ];
  const CAUSE = 'The above exception was the direct cause of the following exception:';
  const CONTEXT = 'During handling of the above exception, another exception occurred:';

  it('say how each exception hangs on the one before', () => {
    expect(outline(chain(CAUSE).join('\n'))).toEqual(['3 KeyError 1-3', '9 ValueError 7-10 cause 3']);
    expect(outline(chain(CONTEXT).join('\n'))).toEqual(['3 KeyError 1-3', '9 ValueError 7-10 context 3']);
    expect(outline([...chain(CAUSE), '', CONTEXT, '', HEAD, FRAME, 'OSError'].join('\n'))).toEqual([
      '3 KeyError 1-3',
      '9 ValueError 7-10 cause 3',
      '16 OSError 14-16 context 9',
    ]);
  });

  it('of two processes do not mix', () => {
    const a = chain(CAUSE).map((line) => `(W pid=1) ${line}`);
    const b = chain(CONTEXT).map((line) => `(W pid=2) ${line}`);
    const found = troublesIn(a.map((line, n) => `${line}\n${b[n]}`).join('\n'));
    expect(found.map(({ pid, line, chain: hung }) => [pid, line, hung])).toEqual([
      [1, 5, undefined],
      [2, 6, undefined],
      [1, 17, { line: 5, how: 'cause', what: 'KeyError: 1' }],
      [2, 18, { line: 6, how: 'context', what: 'KeyError: 1' }],
    ]);
  });

  it('in a record of a logger hang together as well', () => {
    const text = chain(CAUSE)
      .map((line, n, { length }) => `(W pid=1) ERROR 04-29 06:13:29 [core.py:9] ${line}${n < length - 1 ? '\r' : ''}`)
      .join('\n');
    expect(outline(text)).toEqual(['3 W KeyError 1-3', '9 W ValueError 7-10 cause 3']);
  });

  it('do not reach over an exception that stands alone', () => {
    expect(outline([HEAD, FRAME, 'KeyError: 1', HEAD, FRAME, 'OSError'].join('\n'))).toEqual([
      '3 KeyError 1-3',
      '6 OSError 4-6',
    ]);
  });
});

describe('a traceback', () => {
  it('of a file that can not be parsed may have no head', () => {
    const text = `  File "/srv/serve.py", line 3
    x = (
        ^
SyntaxError: '(' was never closed
`;
    expect(troublesIn(text)).toMatchObject([
      { line: 4, type: 'SyntaxError', message: "'(' was never closed (/srv/serve.py, line 3)", traceback: null },
    ]);
    expect(outline(`${HEAD}\n${FRAME}\n    import b\n${text}`)).toEqual(['7 SyntaxError 1-7']);
    expect(outline('  File "/srv/x.py", line 3\nnothing of the kind\nValueError: x')).toEqual([]);
  });

  it.each([
    'Exception ignored in: <function f at 0x7f>',
    'Exception ignored in atexit callback: <function f at 0x7f>',
    'Exception ignored while calling deallocator <function f at 0x7f>:',
    '--- Logging error ---',
    'Error in atexit._run_exitfuncs:',
    'Error in sys.excepthook:',
  ])('that %j announces harms nobody, nor does what it is chained to', (announcement) => {
    const before = [HEAD, FRAME, 'ValueError: first'];
    const chained = ['During handling of the above exception, another exception occurred:', '', HEAD, FRAME, 'OSError'];
    const text = [...before, announcement, HEAD, FRAME, 'TypeError: x', '', ...chained].join('\n');
    expect(outline(text)).toEqual(['3 ValueError 1-3']);
    const prefixed = text.replace(/^/gm, '(W pid=1) ');
    expect(outline(`${prefixed}\n(W pid=1) ${HEAD}\n(W pid=1) ${FRAME}\n(W pid=1) OSError: real`).at(-1)).toMatch(
      / OSError /,
    );
  });

  it('is no longer harmless when its announcement is long ago', () => {
    const text = [
      'Exception ignored in: <stdout>',
      'BrokenPipeError: x',
      ...Array(70).fill('x'),
      HEAD,
      FRAME,
      'OSError',
    ];
    expect(outline(text.join('\n'))).toEqual(['75 OSError 73-75']);
  });

  it('of loguru has marks among its frames', () => {
    const text = `2025-11-30 07:41:56.120 | ERROR    | __main__:<module>:12 - failed
${HEAD}

> File "/srv/a.py", line 12, in <module>
    run()
    └ <function run at 0x7f>

  File "/srv/a.py", line 3, in run
    raise ValueError

ValueError: x`;
    expect(outline(text)).toEqual(['11 ValueError 2-11']);
  });

  it.each([
    ['a container', '2025-11-30T07:41:56.120718416+08:00 '],
    ['Kubernetes', '2025-11-30T07:41:56.120718416Z stderr F '],
    ['docker compose', 'vllm-1  | '],
    ['the journal', 'Nov 30 07:41:56 gpu1 vllm[4411]: '],
    ["the journal's ISO form", '2025-11-30T07:41:56+0000 gpu1 vllm[4411]: '],
  ])('behind the stamp of %s keeps its indents', (_, stamp) => {
    const lines = [HEAD, FRAME, '    run()', 'ValueError: x', '  more'].map((line) => `${stamp}${line}`);
    const [found] = troublesIn(lines.join('\n'));
    expect(found).toMatchObject({ line: 4, type: 'ValueError', message: 'x\n  more' });
    expect(found?.traceback?.text).toEqual([HEAD, FRAME, '    run()', 'ValueError: x', '  more']);
  });

  it("may begin behind the words of a logger's line, prefixed or not", () => {
    const text = [`2025-11-30 07:41:56,120 - ERROR - a - failed: ${HEAD}`, FRAME, 'ValueError: x'].join('\n');
    expect(outline(text)).toEqual(['3 ValueError 1-3']);
    expect(outline(text.replace(/^/gm, '(W pid=1) '))).toEqual(['3 W ValueError 1-3']);
  });

  it('that mixes with another unprefixed one is told as far as its frames let it', () => {
    const text = [HEAD, HEAD, FRAME, FRAME, '    a()', '    b()', 'ValueError: a', 'OSError: b'].join('\n');
    expect(outline(text)).toEqual(['7 ValueError 1-7', '8 OSError 2-8']);
  });
});
