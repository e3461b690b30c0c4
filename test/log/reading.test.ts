import { describe, expect, it } from 'vitest';
import type { LogEvent, Trouble } from '../../src/log/events.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';

const stamp = null;
const trouble = (line: number, message: string, type: string | null = 'ValueError'): LogEvent => {
  const found: Trouble = { line, type, process: 'APIServer', pid: 1, message, traceback: null };
  return { kind: 'trouble', line, stamp, trouble: found };
};
const fold = (...events: LogEvent[]): Reading => events.reduce(addEvent, emptyReading('serve'));
const letters = (n: number): string => String.fromCharCode(97 + n);

describe('the reading', () => {
  it('forgets an older start', () => {
    const reading = fold({ kind: 'phase', phase: 'loading', line: 1, stamp }, trouble(2, 'x'), {
      kind: 'start',
      line: 3,
      stamp,
    });
    expect(reading).toEqual(emptyReading('serve'));
  });

  it('is ready when every API server said so, also when another one is learnt of late', () => {
    const servers: LogEvent = { kind: 'fact', key: 'api_servers', value: 2, line: 2, stamp };
    const one = fold({ kind: 'ready', line: 1, stamp }, servers);
    expect([one.readyLine, one.phases]).toEqual([null, []]);
    const both = addEvent(one, { kind: 'ready', line: 3, stamp });
    expect([both.readyLine, both.phases]).toEqual([3, ['ready']]);
  });

  it('takes readiness back when the port could not be bound', () => {
    const reading = fold(
      { kind: 'ready', line: 1, stamp },
      trouble(2, "[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000)", null),
    );
    expect([reading.readyLine, reading.phases, reading.troubles.length]).toEqual([null, [], 1]);
  });

  it('keeps the first twelve different troubles of a start', () => {
    const reading = fold(
      ...Array.from({ length: 20 }, (_, n) => trouble(n + 1, `${letters(n)} 0x${n}`)),
      trouble(40, 'a 0x99'),
    );
    expect(reading.troubles.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('keeps the newest twelve of a server that is ready, and none from before', () => {
    const after = Array.from({ length: 20 }, (_, n) => trouble(n + 10, letters(n)));
    const reading = fold(trouble(1, 'harmless'), { kind: 'ready', line: 2, stamp }, ...after);
    expect(reading.troubles.map(({ line }) => line)).toEqual([18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  });

  it('keeps the largest of the loading times', () => {
    const took = (value: number): LogEvent => ({ kind: 'fact', key: 'model_load_seconds', value, line: 1, stamp });
    expect(fold(took(3.5), took(9.25), took(4)).facts).toEqual({ model_load_seconds: 9.25 });
  });
});
