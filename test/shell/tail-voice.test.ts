import { describe, expect, test } from 'vitest';
import { spellDescriptor, TailVoice } from '../../src/shell/tail-voice.ts';

const NONCE = Uint8Array.of(0, 255, 1, 2, 3, 4, 5, 6);
const SPELLING = spellDescriptor(NONCE);
const CUT = `tail: ${SPELLING}: file truncated`;
const UNKNOWN = `tail: unrecognized file system type 0x1badface for '${SPELLING}'. please report this to bug-coreutils@gnu.org. reverting to polling`;

/** What a stream comes to when it arrives in pieces of that length. */
function heard(text: string, length: number): { bytes: string; said: string[] } {
  const voice = new TailVoice(SPELLING);
  const all = Buffer.from(text, 'latin1');
  const got = { bytes: '', said: [] as string[] };
  for (let at = 0; at < all.length; at += length) {
    for (const part of voice.feed(all.subarray(at, at + length))) {
      if (typeof part === 'string') got.said.push(part);
      else got.bytes += Buffer.from(part).toString('latin1');
    }
  }
  got.bytes += Buffer.from(voice.rest()).toString('latin1');
  return got;
}

test('the spelling is another path of the same descriptor, and differs with the nonce', () => {
  expect(SPELLING.replace(/(\.\/+)+/, '')).toBe('/proc/self/fd/3');
  expect(spellDescriptor(NONCE.map((byte) => byte ^ 1))).not.toBe(SPELLING);
});

describe.each([1, 2, 7, 100, 10_000])('in pieces of %i bytes', (length) => {
  test.each([
    ['before\ttail\n\0\xff', CUT, 'after\n'],
    ['a line that has no end', CUT, ''],
    ['tail: tail: t', CUT, 'tail: /proc/self/fd/3: file truncated\n'],
    [`tail: ${'x'.repeat(1_000)}`, CUT, 'ta'],
    ['one\n', UNKNOWN, 'two\ntail'],
  ])('%j is told from what tail says behind it', (before, message, after) => {
    const { bytes, said } = heard(`${before}${message}\n${after}`, length);
    expect(bytes).toBe(before + after);
    expect(said).toEqual([message]);
  });

  test('what only looks like a message is the log’s own', () => {
    const text = `tail: /proc/self/fd/3: file truncated\n${'tail: '.repeat(200)}\ntail: /proc/self/fd/./.`;
    expect(heard(text, length)).toEqual({ bytes: text.slice(0, -'tail: /proc/self/fd/./.'.length), said: [] });
  });
});

test('the end of a log that may begin a message is held for a moment only', () => {
  const voice = new TailVoice(SPELLING);
  expect(voice.patience).toBeNull();
  expect(voice.feed(Buffer.from('exit'))).toEqual([Buffer.from('exi')]);
  expect(voice.patience).toBe(250);
  expect(Buffer.from(voice.rest()).toString()).toBe('t');
  voice.feed(Buffer.from('tail: no'));
  expect([voice.held, voice.patience]).toEqual([8, 5_000]);
  voice.rest();
  voice.feed(Buffer.from('tail: /proc'));
  expect([voice.held, voice.patience]).toEqual([11, null]);
  expect(voice.rest()).toHaveLength(0);
});
