import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogKind } from '../../src/log/events.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { judgements, labelledLogs, readByteByByte, readInPieces } from '../support/log-reading.ts';

const logs = labelledLogs();
const lines = logs.flatMap(({ bytes }) => new TextDecoder('latin1').decode(bytes).split('\n'));

/** Half of a code, a character or a head, and what changes how the rest of a line is read. */
const GARBAGE = [
  '\x1b[1;36m',
  '\x1b[',
  '\x1b]8;;http://a\x07',
  '\r',
  '\0',
  '\xf0\x9f',
  '\xed\xa0\x80',
  '(Worker_TP0 pid=7) ',
  '[rank3]: ',
  '[rank1]:[E1108 17:36:12.700918244 ProcessGroupNCCL.cpp:2068] ',
  '2025-12-20T19:08:33Z stderr F ',
  'app-1  | ',
  '{"message": "',
  "{'loss': '0.0', 'grad_norm': 'nan'}",
  'Traceback (most recent call last):',
  'During handling of the above exception, another exception occurred:',
  '  + Exception Group Traceback (most recent call last):',
  '[09:05:06] INFO     ',
  '                    ',
  'train/loss=nan, train/full_acc=0.00e+00,',
  '  6%|▋         | 5/80 [00:00<00:48,  1.53it/s]',
  'Root Cause (first observed failure):',
  '=== Step 1: Launching vLLM server ===',
  'vLLM API server version 0.11.0',
  'Application startup complete.',
  'Killed',
].map((text) => (/[^\0-\xff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const real = fc.constantFrom(...lines);
const broken = fc.tuple(real, share).map(([line, at]) => line.slice(0, Math.floor(at * line.length)));
const garbage = fc.constantFrom(...GARBAGE);
const random = fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const part = fc.oneof(
  { weight: 5, arbitrary: real },
  { weight: 2, arbitrary: broken },
  { weight: 2, arbitrary: garbage },
  { weight: 1, arbitrary: random },
);
const end = fc.constantFrom('\n', '\n', '\n', '\r', '\r\n', '');
/** Real lines and broken ones, glued, with garbage between them. */
const log = fc
  .array(fc.tuple(part, end), { maxLength: 60 })
  .map((pieces) => new Uint8Array(Buffer.from(pieces.map((piece) => piece.join('')).join(''), 'latin1')));
const kind = fc.constantFrom<LogKind>('serve', 'train');
const cuts = fc.array(fc.record({ at: share, resumes: fc.boolean() }), { maxLength: 12 });

describe('lines of real logs, broken, mixed and glued', () => {
  it('give the same events however they are cut, and resumed anywhere', () => {
    fc.assert(
      fc.property(log, kind, cuts, (bytes, of, at) => {
        expect(readInPieces(bytes, of, at)).toEqual(readInPieces(bytes, of));
      }),
      { numRuns: fuzzRuns(150) },
    );
  });

  it('give the same events byte by byte', () => {
    fc.assert(
      fc.property(log, kind, (bytes, of) => {
        expect(readByteByByte(bytes, of)).toEqual(readInPieces(bytes, of));
      }),
      { numRuns: fuzzRuns(50) },
    );
  });

  it('are judged without a throw on any evidence, to plain data of bounded size', () => {
    fc.assert(
      fc.property(log, kind, (bytes, of) => {
        for (const judged of judgements(readInPieces(bytes, of), of)) {
          const text = JSON.stringify(judged);
          expect(text.length).toBeLessThan(200_000);
          expect(JSON.parse(text)).toEqual(judged);
        }
      }),
      { numRuns: fuzzRuns(150) },
    );
  });

  it('that follow a whole real log give the same events as behind its checkpoint', () => {
    fc.assert(
      fc.property(fc.constantFrom(...logs), log, ({ bytes: before, kind: of }, behind) => {
        const bytes = new Uint8Array([...before, ...behind]);
        const at = before.length / bytes.length;
        expect(readInPieces(bytes, of, [{ at, resumes: true }])).toEqual(readInPieces(bytes, of));
      }),
      { numRuns: fuzzRuns(50) },
    );
  });
});
