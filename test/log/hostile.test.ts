import { describe, expect, it } from 'vitest';
import type { LogKind } from '../../src/log/events.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { hostileLogs } from '../support/hostile.ts';
import { judgements } from '../support/log-reading.ts';

/** Characters that expressions may look at for each byte of a log. Each takes linear time, so that bounds all of their work. */
const MOST_LOOKED_AT = 600;
const MOST_JUDGED = 200_000;
const MOST_CARRIED = 400_000;
const LONGEST_LINE = 8 * 1024;

describe.each<LogKind>(['serve', 'train'])('a %s log that is made to hurt', (kind) => {
  it.each(hostileLogs())('of %s is read in bounded work, to bounded results', (_, bytes) => {
    const { result, lookedAt } = counted(() => {
      const reader = openLogReader({ kind, secrets: ['hunter2-secret'], resume: null });
      const fed = reader.feed(bytes);
      const carried = JSON.stringify(reader.checkpoint()).length;
      const rest = reader.end();
      return { events: [...fed.events, ...rest.events], lines: [...fed.lines, ...rest.lines], carried };
    });
    expect(lookedAt).toBeLessThan(MOST_LOOKED_AT * Math.max(bytes.length, 1000));
    expect(result.carried).toBeLessThan(MOST_CARRIED);
    expect(result.lines.every((line) => line.length <= LONGEST_LINE)).toBe(true);
    for (const judged of judgements(result.events, kind)) {
      const text = JSON.stringify(judged);
      expect(text.length).toBeLessThan(MOST_JUDGED);
      expect(JSON.parse(text)).toEqual(judged);
    }
  });
});

/** What `read` returns, and how many characters it gave to regular expressions. */
function counted<T>(read: () => T): { result: T; lookedAt: number } {
  const exec = RegExp.prototype.exec;
  let lookedAt = 0;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    lookedAt += (match === null ? text.length : match.index + match[0].length) - from;
    return match;
  };
  try {
    return { result: read(), lookedAt };
  } finally {
    RegExp.prototype.exec = exec;
  }
}
