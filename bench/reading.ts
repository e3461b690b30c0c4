/** The full reader (events, reading, judgement) beside the grep of the bash loop that it replaces: the same log, the same run. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { writeServerLog } from './server-log.ts';

/** What the loop called a verdict. */
const LOOP_PATTERN = 'error|failed|traceback|exception|ready|startup complete';
const ROUNDS = 3;

const readerRun = z.object({ seconds: z.number(), maxRssBytes: z.number(), events: z.number(), verdict: z.string() });
type ReaderRun = z.infer<typeof readerRun>;

interface Figures {
  readonly bytes: number;
  /** The best of the rounds; the reader's time begins when its process has loaded, grep's with its process. */
  readonly reader: ReaderRun & { readonly bytesPerSecond: number };
  readonly grep: {
    readonly seconds: number;
    readonly bytesPerSecond: number;
    readonly lines: number;
    readonly pattern: string;
  };
  /** The reader's pace by grep's. */
  readonly ratio: number;
}

/** Writes a log of `bytes` into the temporary folder, reads it both ways in turn, and removes it. */
export function benchReading(bytes: number): { figures: Figures; text: string } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bench-'));
  try {
    const log = join(folder, 'vllm.log');
    const size = writeServerLog(log, bytes);
    const rounds = Array.from({ length: ROUNDS }, () => ({ grep: runGrep(log), reader: runReader(log) }));
    const grep = best(rounds.map((round) => round.grep));
    const reader = best(rounds.map((round) => round.reader));
    const figures = {
      bytes: size,
      reader: {
        ...reader,
        maxRssBytes: Math.max(...rounds.map((round) => round.reader.maxRssBytes)),
        bytesPerSecond: Math.round(size / reader.seconds),
      },
      grep: { ...grep, bytesPerSecond: Math.round(size / grep.seconds), pattern: LOOP_PATTERN },
      ratio: Number((grep.seconds / reader.seconds).toFixed(2)),
    };
    return { figures, text: tell(figures) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runGrep(log: string): { seconds: number; lines: number } {
  const start = process.hrtime.bigint();
  const { stdout, status } = spawnSync('grep', ['-ciE', LOOP_PATTERN, log], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`grep found nothing in the log, or there is no grep here (exit code ${status}).`);
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, lines: Number(stdout) };
}

/** In a process of its own, started as `npm run explain` is, so that its memory is the reader's. */
function runReader(log: string): ReaderRun {
  const script = fileURLToPath(new URL('./read-log.ts', import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--max-semi-space-size=4', '--import', 'tsx', script, log],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`The reader ended with ${status}: ${stderr}`);
  return readerRun.parse(JSON.parse(stdout));
}

function best<T extends { readonly seconds: number }>(runs: readonly T[]): T {
  return runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
}

function tell({ bytes, reader, grep, ratio }: Figures): string {
  const row = (name: string, seconds: number, pace: number, more: string) =>
    `${name.padEnd(8)} ${seconds.toFixed(2).padStart(7)} s ${(pace / 1e6).toFixed(0).padStart(6)} MB/s   ${more}\n`;
  return [
    `The best of ${ROUNDS} rounds over ${(bytes / 1e9).toFixed(2)} GB of a server's log\n`,
    row(
      'reader',
      reader.seconds,
      reader.bytesPerSecond,
      `${reader.events} events, ${reader.verdict}, at most ${(reader.maxRssBytes / 1e6).toFixed(0)} MB of memory`,
    ),
    row('grep', grep.seconds, grep.bytesPerSecond, `${grep.lines} lines hold a word of ${grep.pattern}`),
    `The reader has ${ratio} of grep's pace.\n`,
  ].join('');
}
