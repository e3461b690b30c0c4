/** Secrets over every edge that a log is cut at: of chunks, of the longest line that is kept, of a bar that is drawn anew. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogKind } from '../../src/log/events.ts';
import { type LogReader, openLogReader, type ReaderCarry } from '../../src/log/reader.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { KEY_BODY, KEY_LINES, SAMPLES } from '../support/secrets.ts';

const OWN = 'Own-v4lue/of=the+run';
const SECRETS = [...SAMPLES, { shape: 'a value of the run', secret: OWN, line: `connected with ${OWN} to it` }];
const BEFORE =
  '(Worker_TP0 pid=31) INFO 11-30 07:00:00 [loader.py:9] Loading safetensors checkpoint shards:  50% Completed | 1/2';
const AFTER = '(Worker_TP0 pid=31) INFO 11-30 07:00:01 [loader.py:9] Loading weights took 3.1 seconds';

const encoder = new TextEncoder();

function open(kind: LogKind, resume: { offset: number; carry: ReaderCarry } | null = null): LogReader {
  return openLogReader({ kind, secrets: [OWN], resume });
}

/** All that a reader gives away: events, lines, and what is kept to go on. */
function given(reader: LogReader, chunks: readonly Uint8Array[]): string {
  const told = chunks.map((chunk) => [reader.feed(chunk), reader.checkpoint()]);
  return JSON.stringify([told, reader.end(), reader.checkpoint()]);
}

function expectHidden(text: string, secret: string): void {
  expect(text).not.toContain(secret);
  expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
}

/** As a log has it: in a line, in a traceback, behind a bar that is drawn anew. */
const FRAMES: readonly ((line: string) => string)[] = [
  (line) => `${BEFORE}\n${line}\n${AFTER}\n`,
  (line) =>
    `(EngineCore pid=7) Traceback (most recent call last):\n(EngineCore pid=7)   File "a.py", line 1, in f\n(EngineCore pid=7) ValueError: ${line}\n${AFTER}\n`,
  (line) => `${BEFORE}\r${line}\r\n${line}\r${AFTER}\n`,
  (line) =>
    `${JSON.stringify({ levelname: 'ERROR', message: `it failed: ${line}`, exc_info: `Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: '${line}'` })}\n${AFTER}\n`,
];

describe.each(SECRETS)('$shape', ({ secret, line }) => {
  it('is never seen of a log that is cut in it, at any byte', () => {
    const shortest = encoder.encode(line).length;
    for (let cut = 0; cut <= shortest; cut += 1) {
      // Each edge in one of them, and of each of them many edges: the next test cuts all of them anywhere.
      const frame = FRAMES[cut % FRAMES.length]?.(line) ?? '';
      const bytes = encoder.encode(frame);
      const at = encoder.encode(frame.slice(0, frame.indexOf(line.slice(0, 4)))).length + cut;
      const kind = cut % 8 < 4 ? 'serve' : 'train';
      const reader = open(kind);
      const first = reader.feed(bytes.subarray(0, at));
      const resume = reader.checkpoint();
      const second = reader.feed(bytes.subarray(at));
      const again = open(kind, resume).feed(bytes.subarray(resume.offset));
      expectHidden(JSON.stringify([first, resume, second]), secret);
      expect(again).toEqual(second);
    }
  });
});

describe('secrets among others', () => {
  const samples = fc.array(fc.constantFrom(...SECRETS), { minLength: 1, maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 });

  it('are never seen, however the log is cut into chunks', () => {
    fc.assert(
      fc.property(
        samples,
        sizes,
        fc.constantFrom<LogKind>('serve', 'train'),
        fc.nat(FRAMES.length - 1),
        (all, cuts, kind, frame) => {
          const log = [
            ...all.map(({ line }) => FRAMES[frame]?.(line) ?? ''),
            KEY_LINES.map((key) => `(W pid=1) ${key}`).join('\n'),
            '',
          ].join('\n');
          const text = given(open(kind), inChunks(encoder.encode(log), cuts));
          for (const { secret } of all) expectHidden(text, secret);
          for (const key of KEY_BODY) expectHidden(text, key);
        },
      ),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('are never seen in part where a line is cut off', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        fc.constantFrom(8192, 16_384),
        fc.integer({ min: -150, max: 150 }),
        fc.constantFrom('.', '█', ' a'),
        (sample, edge, shift, filler) => {
          const { secret, line } = sample;
          const at = edge + shift - line.indexOf(secret);
          const log = `${filler.repeat(at).slice(0, at)} ${line} ${filler.repeat(20_000)}\n`;
          const { lines } = open('serve').feed(encoder.encode(log));
          const [shown = ''] = lines;
          // What is left of a token that the end of the line cuts off is too short to be found by; of a secret no third is.
          const least = Math.max(9, Math.ceil(secret.length / 3));
          for (let from = 0; from + least <= secret.length; from += 1)
            expect(shown).not.toContain(secret.slice(from, from + least));
        },
      ),
      { numRuns: fuzzRuns(900) },
    );
  });
});

function inChunks(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
