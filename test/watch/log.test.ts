import { describe, expect, test } from 'vitest';
import type { Generation, LogChunk } from '../../src/host/log.ts';
import type { Observation } from '../../src/run/observe.ts';
import { openWatchedLog } from '../../src/watch/log.ts';

const TIMES = { clock: { now: 1_000, zoneMinutes: 0 }, seen: 2_000 };
const ONE: Generation = { device: '8', inode: '1', sum: 'a', summed: 256 };
const OTHER: Generation = { device: '8', inode: '2', sum: 'b', summed: 256 };

function open({ history = 0 } = {}) {
  return openWatchedLog({ kind: 'serve', source: 'main', secrets: [], saved: null, history });
}

function opened(offset: number, generation = ONE, { size = offset, skipped = 0 } = {}): LogChunk {
  return { kind: 'opened', generation, size, offset, skipped };
}

function bytes(text: string): LogChunk {
  return { kind: 'bytes', bytes: Buffer.from(text) };
}

function takeAll(log: ReturnType<typeof open>, ...chunks: LogChunk[]): Observation[] {
  return chunks.flatMap((chunk) => log.take(chunk, TIMES));
}

function ages(seen: readonly Observation[]): boolean[] {
  return seen.flatMap((one) => (one.kind === 'log' ? [one.isOld] : []));
}

describe('a log that is followed', () => {
  test('is known better by what has come, and goes on in another process as that', () => {
    const log = open();
    const better = { ...ONE, sum: 'c', summed: 8 };
    takeAll(log, opened(0, { ...ONE, summed: 0 }), bytes('one\ntwo\nth'), { kind: 'known', generation: better });
    expect(log.position()).toEqual({ generation: better, offset: 10 });
    expect(log.checkpoint().position).toEqual({ generation: better, offset: 8 });
  });

  test('and was too long for a first look is told so, and its places and its history stay right', () => {
    const log = open({ history: 9_300_000_010 });
    const seen = takeAll(log, opened(9_300_000_000, ONE, { size: 9_367_000_000, skipped: 9_300_000_000 }));
    expect(seen).toEqual([
      { kind: 'notice', text: 'The log has 9.4 GB: it is read from its last 64 MB on.', at: 1_000, seen: 2_000 },
    ]);
    expect(ages(takeAll(log, bytes('long past\nnews\n')))).toEqual([true, false]);
    expect(log.checkpoint().position.offset).toBe(9_300_000_015);
    expect(log.tail()).toEqual(['long past', 'news']);
  });

  test.each([
    ['is cut', opened(0, { ...ONE, sum: 'd' }), 'cut'],
    ['is replaced', opened(0, OTHER), 'replaced'],
  ] as const)('and %s says what may be lost, and nothing that comes is history', (_, again, why) => {
    const log = open({ history: 100 });
    expect(ages(takeAll(log, opened(0), bytes('one\n')))).toEqual([true]);
    const seen = takeAll(log, again, { kind: 'lost', why });
    expect(seen.filter(({ kind }) => kind === 'gap')).toEqual([
      { kind: 'gap', source: 'main', why, at: 1_000, seen: 2_000 },
    ]);
    expect(ages(takeAll(log, bytes('two\n')))).toEqual([false]);
    expect(log.checkpoint().position).toMatchObject({ offset: 4 });
  });

  test('and is cut in the midst of a traceback tells it with what had come', () => {
    const log = open();
    const head = '(EngineCore pid=7) ERROR 05-09 20:29:33 [core.py:1136] ';
    const text = ['Traceback (most recent call last):', '  File "a.py", line 1, in f', 'ValueError: too short'];
    takeAll(log, opened(0), bytes(text.map((line) => `${head}${line}\n`).join('')));
    const seen = takeAll(log, opened(0, { ...ONE, sum: 'd' }));
    const events = seen.flatMap((one) => (one.kind === 'log' ? one.events : []));
    expect(JSON.stringify(events)).toContain('too short');
  });

  test('of a server that is asked how it is every ten seconds keeps what people look for at its end', () => {
    const log = open();
    const asked = '(APIServer pid=1) INFO:     127.0.0.1:41000 - "GET /health HTTP/1.1" 200 OK\n';
    const dead = '(APIServer pid=1) INFO: 127.0.0.1:41000 - "GET /health HTTP/1.1" 503 Service Unavailable';
    takeAll(log, opened(0), bytes(asked));
    expect(log.tail()).toBeNull();
    takeAll(log, bytes('the last words\n'), bytes(asked.repeat(100)), bytes(`${dead}\n`));
    expect(log.tail()).toEqual(['the last words', dead]);
  });

  test('that says only that its engine waits for a worker is no sign that it moves', () => {
    const log = open();
    const waits =
      '(EngineCore pid=9) INFO 03-25 06:55:11 [shm_broadcast.py:681] No available shared memory broadcast block found in 60 seconds.\n';
    const seen = takeAll(log, opened(0), bytes(waits));
    expect(seen).toMatchObject([{ kind: 'log', events: [{ kind: 'waits' }], saysOnlyThatItWaits: true }]);
  });

  test('and goes on behind a hole is read on at its place', () => {
    const log = open();
    takeAll(log, opened(0), bytes('one\ntw'), opened(6, { ...ONE, sum: 'e' }), bytes('o\n'));
    expect(log.tail()).toEqual(['one', 'two']);
    expect(log.checkpoint().position).toMatchObject({ generation: { sum: 'e' }, offset: 8 });
  });
});
