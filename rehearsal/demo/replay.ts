/** How a replayed log ends where --exit doesn't say: as the log itself shows it. */
import { createReadStream } from 'node:fs';
import { LIVES_ON } from '../../src/categories.ts';
import type { Cause } from '../../src/diagnosis/cause.ts';
import { judge } from '../../src/diagnosis/judge.ts';
import type { LogKind } from '../../src/log/events.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../../src/log/reading.ts';

export interface ReplayEnd {
  /** An exit code, or null for a process that lives on. */
  readonly exit: number | null;
  /** For people: what was found and decided. */
  readonly why: string;
}

/**
 * A log that proves a failure ends its process (a server that was ready with 0, as vLLM does, all else with 1); so does
 * one that shows its own good end. Any other lives on.
 */
export async function shownEnd(log: string, kind: LogKind): Promise<ReplayEnd> {
  const reading = await readWhole(log, kind);
  if (kind === 'train' && judge(reading, { alive: false, exitCode: 0 }).verdict === 'finished') {
    return { exit: 0, why: 'The log shows a training that finished: after it the process ends with 0.' };
  }
  const wasReady = kind === 'serve' && reading.phases.includes('ready');
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  if (cause !== null && !(kind === 'train' && goesOn(cause, reading))) {
    const exit = wasReady ? 0 : 1;
    return {
      exit,
      why: `The log shows a failure: after it the process ends with ${exit}. --exit CODE says otherwise.`,
    };
  }
  if (verdict === 'stopped') return { exit: 0, why: 'The log shows a shut-down: after it the process ends with 0.' };
  return { exit: null, why: 'The log shows no end: after it the process lives on. --exit CODE says otherwise.' };
}

function goesOn({ category }: Cause, { records }: Reading): boolean {
  const when = LIVES_ON.get(category);
  return when === 'always' || (when === 'once it trains' && records > 0);
}

async function readWhole(log: string, kind: LogKind): Promise<Reading> {
  const reader = openLogReader({ kind, secrets: [], resume: null });
  let reading = emptyReading(kind);
  for await (const chunk of createReadStream(log)) {
    for (const event of reader.feed(Buffer.from(chunk)).events) reading = addEvent(reading, event);
  }
  for (const event of reader.end().events) reading = addEvent(reading, event);
  return reading;
}
