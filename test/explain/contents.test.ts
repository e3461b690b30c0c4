import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentsOf } from '../../src/explain/contents.ts';

const TEXT = { kind: 'text', encoding: 'utf-8', mark: 0 };

describe('what a file holds', () => {
  it.each([
    ['nothing', ''],
    ['a line', 'INFO 11-30 07:41:56 [core.py:1] hello\n'],
    ['colours and bars', '\u001b[2mEpoch 0\u001b[0m  75% ━━━━━╸ 3/4\r\n'],
    ['another script', '正在加载模型权重，请稍候。错误：显存不足\n'.repeat(50)],
    [
      'a few broken bytes',
      Buffer.concat([Buffer.from('a log that was cut \n'.repeat(20)), Buffer.from([0xff, 0xe2, 0x96])]),
    ],
    ['a few NULs in the middle', `${'a log\n'.repeat(100)}\0\0\0\0${'a log\n'.repeat(100)}`],
    ['what a host that lost its power left', `${'a log\n'.repeat(20)}${'\0'.repeat(9000)}`],
    ['a block character cut in two', Buffer.from('█'.repeat(10)).subarray(0, 29)],
  ])('%s is text', (_name, bytes) => {
    expect(contentsOf(Buffer.from(bytes))).toEqual(TEXT);
  });

  it('tells a byte order mark, so that the first line has none', () => {
    expect(contentsOf(Buffer.from('\ufeffINFO'))).toEqual({ ...TEXT, mark: 3 });
    expect(contentsOf(Buffer.from('\ufeffINFO', 'utf16le'))).toEqual({ ...TEXT, encoding: 'utf-16le', mark: 2 });
  });

  it('tells UTF-16 without a mark by its NULs', () => {
    const text = 'INFO 11-30 07:41:56 [core.py:1] hello\r\n'.repeat(3);
    const little = Buffer.from(text, 'utf16le');
    expect(contentsOf(little)).toEqual({ ...TEXT, encoding: 'utf-16le' });
    expect(contentsOf(Buffer.from(little).swap16())).toEqual({ ...TEXT, encoding: 'utf-16be' });
  });

  it('tells gzip by its first bytes', () => {
    expect(contentsOf(gzipSync('a log\n'))).toEqual({ kind: 'gzip' });
  });

  it.each([
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd, 0x04], 'zstd -dc FILE | npm run --silent explain -- -'],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'xz -dc FILE | '],
    ['a zip archive', [0x50, 0x4b, 0x03, 0x04], 'unzip -p FILE | '],
  ])('names %s and how to unpack it', (what, head, instead) => {
    expect(contentsOf(Uint8Array.from(head))).toEqual({
      kind: 'other',
      what: expect.stringContaining(what),
      instead: expect.stringContaining(instead),
    });
  });

  it.each([
    ['a program', Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46]), Buffer.alloc(100)])],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
    ['random bytes', randomBytes(64 * 1024)],
    ['numbers of two bytes', Buffer.from(Array.from({ length: 1000 }, (_, index) => [index % 90, 0]).flat())],
  ])('%s is binary', (_name, bytes) => {
    expect(contentsOf(bytes)).toMatchObject({ kind: 'other', what: expect.stringContaining('binary') });
  });
});
