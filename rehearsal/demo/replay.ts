/** How a replayed log ends where --exit doesn't say: as the log itself shows it. */
import { createReadStream } from 'node:fs';
import { judge } from '../../src/diagnosis/judge.ts';
import { openLogReader } from '../../src/log/reader.ts';
import { addEvent, EMPTY_READING } from '../../src/log/reading.ts';

export interface ReplayEnd {
  /** An exit code, or null for a process that lives on. */
  readonly exit: number | null;
  /** For people: what was found and decided. */
  readonly why: string;
}

/** A log that proves a failure ends its process (with 0 after readiness, as vLLM does, else 1); any other lives on. */
export async function shownEnd(log: string): Promise<ReplayEnd> {
  const reader = openLogReader({ secrets: [], resume: null });
  let reading = EMPTY_READING;
  for await (const chunk of createReadStream(log)) {
    for (const event of reader.feed(Buffer.from(chunk)).events) reading = addEvent(reading, event);
  }
  for (const event of reader.end().events) reading = addEvent(reading, event);
  const wasReady = reading.phases.includes('ready');
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  if (cause !== null) {
    const exit = wasReady ? 0 : 1;
    return {
      exit,
      why: `The log shows a failure: after it the process ends with ${exit}. --exit CODE says otherwise.`,
    };
  }
  if (verdict === 'stopped') return { exit: 0, why: 'The log shows a shut-down: after it the process ends with 0.' };
  return { exit: null, why: 'The log shows no end: after it the process lives on. --exit CODE says otherwise.' };
}
