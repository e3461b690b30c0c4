import { describe, expect, it } from 'vitest';
import { createMask, maskText, openMask } from '../../src/log/mask.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { KEY_BODY, KEY_LINES } from '../support/secrets.ts';

const mask = createMask([]);
const pem = KEY_LINES.join('\n');

/** Every part of the key that is long enough to be one. */
function expectNoKey(text: string): void {
  for (const line of KEY_BODY)
    for (let at = 0; at + 12 <= line.length; at += 4) expect(text).not.toContain(line.slice(at, at + 12));
}

function shownBy(log: string): string[] {
  const reader = openLogReader({ kind: 'serve', secrets: [], resume: null });
  return [...reader.feed(new TextEncoder().encode(log)).lines, ...reader.end().lines];
}

const JSON_LINES = KEY_LINES.map((line, index) =>
  JSON.stringify({ log: `${line}\n`, stream: 'stderr', time: `2026-11-30T07:00:0${index}Z` }),
);
const INTERLEAVED = KEY_LINES.flatMap((line, index) => [
  `(Worker_TP0 pid=1) ${line}`,
  `(Worker_TP1 pid=2) INFO 11-30 07:00:0${index} [loader.py:9] Loading weights took 3.1 seconds`,
]);
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'by itself': KEY_LINES,
  'behind a process’s prefix': KEY_LINES.map((line) => `(Worker_TP0 pid=${4711}) ${line}`),
  'behind times that go on': KEY_LINES.map((line, index) => `INFO 11-30 07:00:0${index} [a.py:1] ${line}`),
  'indented in YAML': ['private_key: |', ...KEY_LINES.map((line) => `    ${line}`)],
  'with both line ends': KEY_LINES.map((line) => `${line}\r`),
  'with others’ lines between': INTERLEAVED,
  'as records of Docker': JSON_LINES,
  'as a list of strings': KEY_LINES.map((line) => `    '${line}\\n',`),
  'as strings in a program': KEY_LINES.map((line) => `  "${line}\\n" +`),
  'in one line with escapes': [`key = '${pem.replaceAll('\n', '\\n')}\\n'`],
  'as a service account': [
    `{"type": "service_account", "private_key": "${pem.replaceAll('\n', '\\n')}\\n", "client_id": "1"}`,
  ],
  'in one line without its end': [`key = b'${KEY_LINES.slice(0, -1).join('\\n')}`],
  'in a variable of several lines': [
    `export TLS_KEY="${KEY_LINES[0]}`,
    ...KEY_LINES.slice(1, -1),
    `${KEY_LINES.at(-1)}"`,
  ],
  'with quotes that open behind a name': [`"private_key": "${KEY_LINES[0]}`, ...KEY_LINES.slice(1)],
};

describe.each(Object.entries(FORMS))('a private key %s', (_, lines) => {
  const before = 'INFO 11-30 07:00:00 [a.py:1] before';
  const after = 'INFO 11-30 07:00:09 [a.py:1] after word';
  const log = [before, ...lines, after, 'Done', ''].join('\n');

  it('is hidden in a log, and what stands around it is not', () => {
    const shown = shownBy(log);
    expectNoKey(shown.join('\n'));
    expect(shown).toHaveLength(lines.length + 3);
    expect(shown[0]).toBe(before);
    expect(shown.at(-2)).toBe(after);
  });

  it('is hidden in a text of several lines', () => {
    expectNoKey(mask(log));
    expectNoKey(maskText(log, (line) => line));
    expect(mask(mask(log))).toBe(mask(log));
  });

  it('is hidden wherever the watch goes on', () => {
    const bytes = new TextEncoder().encode(log);
    for (let at = 1; at < bytes.length; at += 7) {
      const first = openLogReader({ kind: 'train', secrets: [], resume: null });
      const shown = first.feed(bytes.subarray(0, at)).lines;
      const resume = first.checkpoint();
      const second = openLogReader({ kind: 'train', secrets: [], resume });
      const rest = second.feed(bytes.subarray(resume.offset)).lines;
      expectNoKey(JSON.stringify([resume, shown, rest]));
    }
  });
});

it('of which only the end is in a text is hidden', () => {
  expectNoKey(mask(['INFO x', ...KEY_LINES.slice(2), 'INFO y'].join('\n')));
  expect(mask(`INFO x\n${KEY_LINES.slice(2).join('\n')}\nINFO y`)).toMatch(/^INFO x\n[\s\S]*\nINFO y$/);
});

it('of which only the middle is in a text is hidden as far as its lines are whole', () => {
  expectNoKey(mask(KEY_LINES.slice(2, 5).join('\n')));
});

it('without an end hides the log no longer than 200 lines, and others’ lines not at all', () => {
  const keys = openMask([], null);
  keys.hide(KEY_LINES[0] ?? '');
  const line = 'INFO 11-30 07:00:00 [a.py:1] Loading weights took 3.1 seconds';
  for (let index = 0; index < 200; index += 1) expect(keys.hide(line)).toBe(line);
  expect(keys.isInside).toBe(false);
  expect(keys.hide('Done')).toBe('Done');
});

it('is noted for the next watch without anything of it', () => {
  const keys = openMask(['hunter2-secret'], null);
  keys.hide('(W pid=31) hunter2-secret -----BEGIN PRIVATE KEY-----');
  expect(keys.save()).toEqual({ before: '(W pid=00) [masked] ', left: 200, isShown: false });
});
