import { describe, expect, it } from 'vitest';
import { outline, troublesIn } from './troubles-in.ts';

const NESTED = `  + Exception Group Traceback (most recent call last):
  |   File "/srv/serve.py", line 15, in <module>
  |     asyncio.run(main())
  |   File "/usr/lib/python3.12/asyncio/taskgroups.py", line 145, in __aexit__
  |     raise me from None
  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/serve.py", line 3, in inner
    |     raise KeyError('a')
    | KeyError: 'a'
    | 
    | The above exception was the direct cause of the following exception:
    | 
    | Traceback (most recent call last):
    |   File "/srv/serve.py", line 4, in inner
    |     raise ValueError('two\\nlines') from e
    | ValueError: two
    | lines
    +---------------- 2 ----------------
    | Exception Group Traceback (most recent call last):
    |   File "/srv/serve.py", line 7, in bad
    |     async with asyncio.TaskGroup() as t:
    | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
    +-+---------------- 1 ----------------
      | Traceback (most recent call last):
      |   File "/srv/serve.py", line 10, in worse
      |     raise e
      | TypeError: noted
      | a note
      +------------------------------------
`;
const NESTED_OUTLINE = [
  '6 ExceptionGroup 1-6',
  '11 KeyError 8-11 group 6',
  '18 ValueError 15-19 cause 11',
  '24 ExceptionGroup 21-24 group 6',
  '29 TypeError 26-30 group 24',
];

function prefixed(prefix: string, text: string): string {
  return text.replace(/^/gm, prefix).slice(0, -prefix.length);
}

describe('exception groups', () => {
  it('are told exception by exception, with chains and groups inside them', () => {
    expect(outline(NESTED)).toEqual(NESTED_OUTLINE);
    const noted = troublesIn(NESTED).find(({ type }) => type === 'TypeError');
    expect(noted).toMatchObject({
      message: 'noted\na note',
      traceback: { text: expect.arrayContaining(['  File "/srv/serve.py", line 10, in worse', 'a note']) },
    });
  });

  it('are the same behind a process prefix, as uvicorn logs them', () => {
    const text = `${prefixed('(APIServer pid=7) ', `ERROR:    Exception in ASGI application\n${NESTED}`)}`;
    const moved = NESTED_OUTLINE.map((each) =>
      each.replace(/\d+/g, (n) => String(Number(n) + 1)).replace(' ', ' APIServer '),
    );
    expect(outline(text)).toEqual(moved);
  });

  it('come apart from another process of the same name that writes between their lines', () => {
    const [a, b] = [prefixed('(W pid=1) ', NESTED).split('\n'), prefixed('(W pid=2) ', NESTED).split('\n')];
    const found = troublesIn(a.map((line, n) => `${line}\n${b[n]}`).join('\n'));
    const types = (pid: number) => found.filter((each) => each.pid === pid).map(({ type }) => type);
    expect(types(1)).toEqual(types(2));
    expect(types(1).toSorted()).toEqual(['ExceptionGroup', 'ExceptionGroup', 'KeyError', 'TypeError', 'ValueError']);
  });

  it('hold exceptions that nobody raised, and may be what another one was raised from', () => {
    const text = `  + Exception Group Traceback (most recent call last):
  |   File "/srv/a.py", line 19, in <module>
  |     raise ExceptionGroup('bare', [ValueError(1), OSError(2)])
  | ExceptionGroup: bare (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +---------------- 2 ----------------
    | zmq.error.Again: Resource temporarily unavailable
    +------------------------------------

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/a.py", line 21, in <module>
    raise RuntimeError('outer') from e
RuntimeError: outer
INFO 04-29 06:13:29 [core.py:9] unrelated`;
    expect(outline(text)).toEqual([
      '4 ExceptionGroup 1-4',
      '6 ValueError - group 4',
      '8 zmq.error.Again - group 4',
      '16 RuntimeError 13-16 cause 4',
    ]);
  });

  it('may be raised while another exception was handled', () => {
    const text = `Traceback (most recent call last):
  File "/srv/a.py", line 1, in f
KeyError: 'a'

During handling of the above exception, another exception occurred:

  + Exception Group Traceback (most recent call last):
  |   File "/srv/a.py", line 19, in <module>
  | anyio.ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/a.py", line 3, in g
    | RuntimeError: told
    +------------------------------------`;
    expect(outline(text)).toEqual([
      '3 KeyError 1-3',
      '9 anyio.ExceptionGroup 7-9 context 3',
      '13 RuntimeError 11-13 group 9',
    ]);
  });

  it('that were cut at a sub-exception tell what was whole', () => {
    expect(outline(NESTED.split('\n').slice(0, 17).join('\n'))).toEqual(NESTED_OUTLINE.slice(0, 2));
  });

  it('in a logger record are told as its lines', () => {
    const lines = `Unhandled error\n${NESTED}`.trimEnd().split('\n');
    const text = lines
      .map(
        (line, n) =>
          `(EngineCore_DP0 pid=3) ERROR 04-29 06:13:29 [core.py:9] ${line}${n < lines.length - 1 ? '\r' : ''}`,
      )
      .join('\n');
    expect(outline(text).map((each) => each.split(' ')[2])).toEqual([
      'ExceptionGroup',
      'KeyError',
      'ValueError',
      'ExceptionGroup',
      'TypeError',
    ]);
  });
});
