/** What new log events mean for a run. */

import type { TeamRow } from '../config/config.ts';
import type { Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { readServerLog } from './read-server-log.ts';
import { readTrainingLog } from './read-training-log.ts';
import type { Run } from './run.ts';
import { readTargetLog } from './target.ts';

export function readLog(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  const { run: read, happened } = readBySource(run, seen, teamRows);
  if (run.request.kind === 'serve' || !run.silenceTold || read.heard === run.heard) return { run: read, happened };
  const { at, seen: told } = seen;
  return {
    run: { ...read, silenceTold: false },
    happened: [{ at, seen: told, kind: 'moving', silentMs: at - run.heard }, ...happened],
  };
}

function readBySource(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  if (seen.source === 'target') return readTargetLog(run, seen);
  return run.request.kind === 'train' ? readTrainingLog(run, seen, teamRows) : readServerLog(run, seen);
}
