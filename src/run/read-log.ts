/** What new log events mean for a run. */

import type { TeamRow } from '../config/config.ts';
import { hearLog } from './engine-death.ts';
import type { Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { heard } from './pulse.ts';
import { readServerLog } from './read-server-log.ts';
import { readTrainingLog } from './read-training-log.ts';
import type { Run } from './run.ts';
import { readTargetLog } from './target.ts';

export function readLog(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  return heard(run, readBySource(run, seen, teamRows), seen);
}

function readBySource(run: Run, seen: Observation & { kind: 'log' }, teamRows: readonly TeamRow[]): Step {
  if (seen.source === 'target') return readTargetLog(run, seen);
  if (run.request.kind === 'train') return readTrainingLog(run, seen, teamRows);
  return hearLog(run, readServerLog(run, seen, teamRows), seen, teamRows);
}
