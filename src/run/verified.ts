/** What a verification means for a run: it is ready with it, or was and is looked at once more. */

import { NO_VITALS } from '../vitals/vitals.ts';
import { enter } from './enter.ts';
import type { Step } from './happening.ts';
import type { Observation } from './observe.ts';
import type { Run } from './run.ts';

export function verified(run: Run, seen: Observation & { kind: 'verified' }): Step {
  const { readiness, verification, record, question, at } = seen;
  if (run.stopBy !== null) return { run, happened: [] };
  const times = { at, seen: seen.seen };
  const recorded = record === undefined ? {} : { record };
  if (run.phase === 'ready') {
    const isTold = question !== undefined && question === run.answered;
    if (verification.by === null || isTold) return { run, happened: [] };
    const before = run.verification;
    return {
      run: { ...run, readiness, verification, ...(question === undefined ? {} : { answered: question }) },
      happened: [{ ...times, kind: 'verified', verification, before, ...recorded }],
    };
  }
  // What somebody asked for while it was ready tells nothing of a server that has begun anew since.
  if (verification.by !== null) return { run, happened: [] };
  return {
    run: { ...enter(run, 'ready', at), readiness, verification, vitals: NO_VITALS },
    happened: [{ ...times, kind: 'ready', readiness, verification, ...recorded }],
  };
}

/** Told once; what follows is told when it has become ready. */
export function unusable(run: Run, seen: Observation & { kind: 'unusable' }): Step {
  const { verification, at } = seen;
  if (run.stopBy !== null || run.phase === 'ready') return { run, happened: [] };
  const next = { ...(run.phase === 'verifying' ? run : enter(run, 'verifying', at)), verification };
  if (run.verification !== null) return { run: next, happened: [] };
  return { run: next, happened: [{ at, seen: seen.seen, kind: 'unusable', verification }] };
}
