import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent, LogKind } from '../../src/log/events.ts';
import { isReadable, openLogReader, READER_VERSION } from '../../src/log/reader.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { labelledLogs, readByteByByte, readInPieces } from '../support/log-reading.ts';

const logs = labelledLogs();

function read(text: string, secrets: readonly string[] = []): { events: LogEvent[]; lines: string[] } {
  const reader = openLogReader({ kind: 'serve', secrets, resume: null });
  const fed = reader.feed(new TextEncoder().encode(text));
  const rest = reader.end();
  return { events: [...fed.events, ...rest.events], lines: [...fed.lines, ...rest.lines] };
}

describe('the reader', () => {
  it('gives the same events however the bytes are cut, and resumed at any checkpoint', () => {
    const cut = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), resumes: fc.boolean() });
    const log = fc.constantFrom(...logs);
    fc.assert(
      fc.property(log, fc.array(cut, { maxLength: 12 }), ({ kind, bytes }, cuts) => {
        expect(readInPieces(bytes, kind, cuts)).toEqual(readInPieces(bytes, kind));
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it.each(logs.filter(({ bytes }) => bytes.length < 13_000))(
    'reads $name byte by byte as it reads it whole',
    ({ kind, bytes }) => {
      expect(readByteByByte(bytes, kind)).toEqual(readInPieces(bytes, kind));
    },
  );

  it.each(logs.filter(({ bytes }) => bytes.length < 9_000))('resumes $name at each 97th byte', ({ kind, bytes }) => {
    const cuts = Array.from({ length: Math.floor(bytes.length / 97) }, (_, n) => ({
      at: (n * 97) / bytes.length,
      resumes: true,
    }));
    expect(readInPieces(bytes, kind, cuts)).toEqual(readInPieces(bytes, kind));
  });

  it('never throws on any bytes, and stays the same when they are cut', () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .constantFrom(
          '\r\n',
          '\n',
          '\r',
          '\x1b[1;36m',
          '(Worker_TP0 pid=7) ',
          'ERROR 04-29 06:13:29 [core.py:9] ',
          '{"message": "',
          '2025-12-20T19:08:33Z ',
          'Traceback (most recent call last):',
          '  File "a.py", line 1',
          'ValueError: no',
          'During handling of the above exception, another exception occurred:',
          '[09:05:06] INFO     ',
          'train/loss=nan, train/full_acc=0.00e+00,',
          '                    global_step=7',
          "{'loss': '0.0', 'grad_norm': 'nan'}",
          '  6%|▋         | 5/80 [00:00<00:48,  1.53it/s]',
          'Root Cause (first observed failure):',
          '=== Step 1: Launching vLLM server ===',
          'Checkpoint saved to',
        )
        .map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        fc.constantFrom<LogKind>('serve', 'train'),
        (parts, cuts, kind) => {
          const bytes = Uint8Array.from(parts.flatMap((each) => [...each]));
          const resumed = cuts.map((at) => ({ at, resumes: true }));
          expect(readInPieces(bytes, kind, resumed)).toEqual(readInPieces(bytes, kind));
        },
      ),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('holds little of an endless line and resumes at its start', () => {
    const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
    reader.feed(new TextEncoder().encode('first\n'));
    for (let n = 0; n < 100; n += 1) reader.feed(new Uint8Array(100_000).fill(97));
    const { offset, carry } = reader.checkpoint();
    expect(offset).toBe(6);
    expect(JSON.stringify(carry).length).toBeLessThan(1000);
    expect(reader.end().lines[0]?.length).toBeLessThanOrEqual(8 * 1024);
  });

  it('shows lines without codes, with the last state of a bar behind its prefix', () => {
    const { lines } = read('\x1b[1;36m(W pid=1)\x1b[0;0m \rbar: 1%\rbar: 9%\na\r\n\nhalf');
    expect(lines).toEqual(['(W pid=1) bar: 9%', 'a', '', 'half']);
  });

  it('reads what stands behind the NULs of a truncated log', () => {
    const { events } = read(`${'\0'.repeat(50_000)}INFO 04-29 06:12:41 [a.py:1] Loading drafter model...\n`);
    expect(events).toEqual([{ kind: 'phase', phase: 'loading', line: 1, stamp: '04-29 06:12:41' }]);
  });

  it('tells another start in the same file, and none for the first', () => {
    const one =
      'INFO 10-09 20:44:02 api_server.py:526] vLLM API server version 0.6.2\nINFO 10-09 20:44:12 m.py:1] Starting to load model /m...\n';
    expect(read(one).events.filter(({ kind }) => kind === 'start')).toEqual([]);
    expect(
      read(one + one)
        .events.filter(({ kind }) => kind === 'start')
        .map(({ line }) => line),
    ).toEqual([3]);
  });

  it('takes a mention of readiness inside a line for nothing', () => {
    const { events } = read(
      'INFO 10-09 20:44:02 [a.py:1] prompt: Application startup complete.\nINFO:  1.2.3.4:5 - "GET /Application startup complete. HTTP/1.1" 200 OK\n',
    );
    expect(events).toEqual([]);
  });

  it('reads a traceback inside a JSON record', () => {
    const record = {
      asctime: '2025-12-20 19:08:33,137',
      levelname: 'ERROR',
      message: 'EngineCore failed to start.',
      exc_info: 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no\nmore',
    };
    const { events } = read(`(EngineCore pid=3) ${JSON.stringify(record)}\n`);
    expect(events).toMatchObject([
      { kind: 'trouble', trouble: { line: 1, type: 'ValueError', process: 'EngineCore', message: 'no\nmore' } },
    ]);
  });

  it('knows a carry of another version', () => {
    const { carry } = openLogReader({ kind: 'serve', secrets: [], resume: null }).checkpoint();
    expect(isReadable(carry)).toBe(true);
    expect(isReadable({ ...carry, version: READER_VERSION + 1 })).toBe(false);
    expect(isReadable(null)).toBe(false);
  });

  it('masks before anything leaves it, also in tracebacks and in the carry', () => {
    const text = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: key is hunter2-secret\n';
    const reader = openLogReader({ kind: 'serve', secrets: ['hunter2-secret'], resume: null });
    const fed = reader.feed(new TextEncoder().encode(text));
    expect(JSON.stringify([fed, reader.checkpoint(), reader.end()])).not.toContain('hunter2');
  });
});
