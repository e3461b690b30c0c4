/** Does a piece of a log belong to a training? A server's log holds a target's phases and nothing else. */

import { judge } from '../diagnosis/judge.ts';
import type { LogPhase } from '../log/events.ts';
import { openLogReader } from '../log/reader.ts';
import { addEvent, emptyReading, type Reading } from '../log/reading.ts';

const OF_SCRIPTS: readonly LogPhase[] = ['target_starting', 'target_ready'];
const OF_TRAINERS = ['ranks', 'epochs', 'training_started_line', 'resumed_from', 'checkpoint'];

export function readPiece(text: string): Reading {
  const reader = openLogReader({ kind: 'train', secrets: [], resume: null });
  const events = [...reader.feed(Buffer.from(text)).events, ...reader.end().events];
  return events.reduce(addEvent, emptyReading('train'));
}

/** With a process that is seen to write it, the first sign of a pipeline is enough; without one only steps made, or a proven end, count. */
export function isTraining(reading: Reading, hasProcess: boolean): boolean {
  if (reading.records > 0) return true;
  // Any program draws bars; only a trainer or its script says these.
  const isOfTrainer = OF_TRAINERS.some((key) => reading.facts[key] !== undefined);
  const isOfScript = reading.phases.some((phase) => OF_SCRIPTS.includes(phase)) && reading.targetPhases.length === 0;
  if (hasProcess) return isOfTrainer || isOfScript;
  const { verdict, cause } = judge(reading, { alive: false, exitCode: null });
  return (isOfTrainer || isOfScript) && (verdict === 'finished' || cause !== null);
}
