import { describe, expect, it } from 'vitest';
import { outline, troublesIn } from './troubles-in.ts';

const TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    run()\nValueError: no\nmore';
const CHAINED = `${TRACEBACK}\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "b.py", line 2, in g\nRuntimeError: wrapped`;
const NEXT = '{"levelname": "INFO", "message": "next"}';

const RECORDS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  [
    'python-json-logger',
    { asctime: '2025-12-20 19:08:33,137', levelname: 'ERROR', message: 'failed', exc_info: TRACEBACK },
  ],
  [
    'Ray',
    {
      asctime: '2025-12-20 19:08:33,137',
      levelname: 'ERROR',
      message: 'failed',
      exc_text: TRACEBACK,
      job_id: '01',
      worker_id: 'a',
    },
  ],
  ['structlog', { event: 'failed', level: 'error', timestamp: '2025-12-20T19:08:33.1Z', exception: TRACEBACK }],
  ['a message that holds it', { level: 'ERROR', time: '2025-12-20T19:08:33', msg: `failed\n${TRACEBACK}` }],
  [
    'ECS',
    {
      '@timestamp': '2025-12-20T19:08:33.1Z',
      'log.level': 'error',
      message: 'failed',
      error: { type: 'ValueError', stack_trace: TRACEBACK },
    },
  ],
  ['Google Cloud', { severity: 'ERROR', message: 'failed', stack_trace: TRACEBACK, time: '2025-12-20T19:08:33Z' }],
  [
    'loguru',
    {
      text: `2025-12-20 19:08:33.137 | ERROR    | a:f:1 - failed\n${TRACEBACK}\n`,
      record: {
        exception: { type: 'ValueError', value: 'no', traceback: true },
        level: { name: 'ERROR', no: 40 },
        message: 'failed',
        time: { repr: '2025-12-20 19:08:33.137000+00:00', timestamp: 1766257713.1 },
      },
    },
  ],
];

describe('a JSON record', () => {
  it.each(RECORDS)('of %s holds its traceback', (_, record) => {
    const found = troublesIn(`(EngineCore_DP0 pid=3) ${JSON.stringify(record)}\n${NEXT}`);
    expect(found).toMatchObject([
      {
        line: 1,
        type: 'ValueError',
        process: 'EngineCore_DP0',
        pid: 3,
        message: 'no\nmore',
        traceback: { first: 1, last: 1 },
      },
    ]);
    expect(found[0]?.traceback?.text).toEqual(TRACEBACK.split('\n'));
  });

  it('of structlog may hold its traceback as frames', () => {
    const frames = [{ filename: '/x/a.py', lineno: 3, name: 'f', line: 'run()' }];
    const stacks = [
      { exc_type: 'RuntimeError', exc_value: 'wrapped', is_cause: false, frames },
      { exc_type: 'ValueError', exc_value: 'no', is_cause: true, frames },
    ];
    const text = JSON.stringify({ event: 'failed', level: 'error', exception: stacks });
    expect(outline(text)).toEqual(['1 ValueError 1-1', '1 RuntimeError 1-1 cause 1']);
    expect(troublesIn(text)[0]?.traceback?.text[1]).toBe('  File "/x/a.py", line 3, in f');
  });

  it('holds chains and groups as text does', () => {
    expect(outline(JSON.stringify({ levelname: 'ERROR', message: 'failed', exc_info: CHAINED }))).toEqual([
      '1 ValueError 1-1',
      '1 RuntimeError 1-1 cause 1',
    ]);
    const group = `  + Exception Group Traceback (most recent call last):\n  |   File "a.py", line 1, in f\n  | ExceptionGroup: two (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File "a.py", line 2, in g\n    | ValueError: no\n    +------------------------------------`;
    expect(outline(JSON.stringify({ levelname: 'ERROR', message: 'failed', exc_info: group }))).toEqual([
      '1 ExceptionGroup 1-1',
      '1 ValueError 1-1 group 1',
    ]);
  });

  it('below ERROR harms nobody, nor does a stack without an exception', () => {
    const mild = JSON.stringify({ levelname: 'WARNING', message: 'retrying', exc_info: TRACEBACK });
    const stack = JSON.stringify({
      levelname: 'ERROR',
      message: 'here',
      stack_info: 'Stack (most recent call last):\n  File "a.py", line 1, in f',
    });
    expect(troublesIn(`${mild}\n${stack}\n`)).toEqual([]);
  });

  it('ends with its line, whatever stands behind it', () => {
    const record = JSON.stringify({ levelname: 'ERROR', message: 'failed', exc_info: TRACEBACK });
    expect(troublesIn(`${record}\nplain words\n`)).toMatchObject([
      { message: 'no\nmore', traceback: { first: 1, last: 1 } },
    ]);
  });

  it('that was cut keeps what stands before the cut', () => {
    const text = JSON.stringify({ levelname: 'ERROR', message: 'failed', exc_info: TRACEBACK, more: 'x'.repeat(9000) });
    expect(outline(text)).toEqual(['1 ValueError 1-1']);
  });

  it("of Docker's own files is the line that the container wrote", () => {
    const text = TRACEBACK.split('\n')
      .map((line) =>
        JSON.stringify({ log: `(EngineCore_DP0 pid=3) ${line}\r\n`, stream: 'stderr', time: '2025-12-20T19:08:33.1Z' }),
      )
      .join('\n');
    expect(outline(text)).toEqual(['4 EngineCore_DP0 ValueError 1-5']);
  });
});
