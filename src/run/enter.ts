import { entered } from './pulse.ts';
import { isEnd, type Phase, type Run } from './run.ts';

/** Visits kept of a run; its end is always kept. */
const MOST_VISITS = 100;

/** A ready run leaves that phase only by an end: its log's late start-up lines change nothing. */
export function enter(run: Run, phase: Phase, at: number): Run {
  if (run.phase === 'ready' && !isEnd(phase)) return run;
  const visits = run.visits.length < MOST_VISITS || isEnd(phase) ? [...run.visits, { phase, at }] : run.visits;
  return { ...entered(run, phase), phase, visits };
}
