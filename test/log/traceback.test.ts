import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../src/log/events.ts';
import { openLogReader } from '../../src/log/reader.ts';

const HEAD = 'Traceback (most recent call last):';
const FRAME = '  File "/x/core.py", line 1, in run';

function troubles(...lines: string[]): Trouble[] {
  const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
  const events = [...reader.feed(new TextEncoder().encode(`${lines.join('\n')}\n`)).events, ...reader.end().events];
  return events.flatMap((event) => (event.kind === 'trouble' ? [event.trouble] : []));
}

function logged(who: string, ...lines: string[]): string[] {
  return lines.map((line, n) => `(${who}) ERROR 04-29 06:13:29 [core.py:9] ${line}${n < lines.length - 1 ? '\r' : ''}`);
}

describe('tracebacks', () => {
  it('come apart when two processes of one name interleave line by line', () => {
    const a = logged('Worker pid=1', 'WorkerProc failed to start.', HEAD, FRAME, 'AssertionError: a');
    const b = logged('Worker pid=2', 'WorkerProc failed to start.', HEAD, FRAME, 'AssertionError: b');
    const found = troubles(...a.flatMap((line, n) => [line, b[n] ?? '']));
    expect(found.map(({ pid, message, traceback }) => [pid, message, traceback?.first, traceback?.last])).toEqual([
      [1, 'a', 3, 7],
      [2, 'b', 4, 8],
    ]);
  });

  it('end with their record, also when other lines of the speaker follow', () => {
    const found = troubles(...logged('Worker pid=1', HEAD, FRAME, 'E.Rror: a', 'more', ''), '(Worker pid=1) unrelated');
    expect(found.map(({ message, traceback }) => [message, traceback?.last])).toEqual([['a\nmore', 4]]);
  });

  it('are told one by one when they are chained', () => {
    const found = troubles(
      HEAD,
      FRAME,
      "KeyError: 'a'",
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      HEAD,
      FRAME,
      'ValueError: b',
    );
    expect(found.map(({ type, traceback }) => [type, traceback?.first, traceback?.last])).toEqual([
      ['KeyError', 1, 3],
      ['ValueError', 7, 9],
    ]);
  });

  it('take the lines of their message, blank ones inside it too, but not what other programs print', () => {
    const found = troubles(
      HEAD,
      FRAME,
      'pydantic.ValidationError: 1 error',
      '  Value error, x',
      '',
      'More of it.',
      '',
      '/usr/lib/x.py:279: UserWarning: leaked',
      '[serve] exited',
    );
    expect(found).toMatchObject([
      { message: '1 error\n  Value error, x\n\nMore of it.', traceback: { first: 1, last: 6 } },
    ]);
  });

  it('are ignored when they are logged as a warning or can harm nobody', () => {
    const mild = logged('W pid=1', HEAD, FRAME, 'ValueError: a').map((line) => line.replace('ERROR', 'WARNING'));
    expect(troubles(...mild, 'Exception ignored in: <function f>', HEAD, FRAME, 'TypeError: b')).toEqual([]);
  });

  it('need an exception line: a file cut in the middle of one shows none', () => {
    expect(troubles(HEAD, FRAME)).toEqual([]);
  });

  it('keep at most 16 KB, the head and the end of it', () => {
    const [found] = troubles(HEAD, ...Array.from({ length: 2000 }, (_, n) => `${FRAME} ${n}`), 'RecursionError: deep');
    const text = found?.traceback?.text ?? [];
    expect(text.join('\n').length).toBeLessThanOrEqual(16 * 1024 + 100);
    expect([text[0], text.at(-1)]).toEqual([HEAD, 'RecursionError: deep']);
  });

  it('of SGLang begin behind the text of their head', () => {
    const found = troubles(
      `[2025-12-29 05:51:20 TP0] Scheduler hit an exception: ${HEAD}`,
      FRAME,
      'RuntimeError: Not enough memory.',
      '',
      '[2025-12-29 05:51:21] Received sigquit from a child process.',
    );
    expect(found).toMatchObject([{ line: 3, type: 'RuntimeError', process: null, traceback: { first: 1, last: 3 } }]);
  });
});
