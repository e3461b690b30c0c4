/** Does a piece of a log belong to a training? A server's log holds a target's phases and nothing else. */

import { judge } from '../diagnosis/judge.ts';
import type { LogPhase } from '../log/events.ts';
import { openLogReader } from '../log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../log/reading.ts';

const OF_TRAINERS: readonly LogPhase[] = ['preparing', 'training', 'checkpointing', 'finished'];

export function readPiece(text: string): Reading {
  const reader = openLogReader({ kind: 'train', secrets: [], resume: null });
  const events = [...reader.feed(Buffer.from(text)).events, ...reader.end().events];
  return events.reduce(addEvent, emptyReading('train'));
}

/** With a process that is seen to write it, the first sign of a pipeline is enough; without one only steps made, or a proven end, count. */
export function isTraining(reading: Reading, hasProcess: boolean): boolean {
  if (reading.records > 0) return true;
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  const isOfTrainer = reading.phases.some((phase) => OF_TRAINERS.includes(phase));
  const isOfScript = reading.phases.length > 0 && reading.targetPhases.length === 0;
  if (hasProcess) return isOfTrainer || isOfScript;
  return (isOfTrainer || isOfScript) && (verdict === 'finished' || cause !== null);
}
