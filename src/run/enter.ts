import { entered } from './pulse.ts';
import { isEnd, type Phase, type Run } from './run.ts';

/** Visits kept of a run: its first ones, and the newest. */
const MOST_VISITS = 100;
const FIRST_VISITS = 20;

/** A ready run leaves that phase only by an end: its log's late start-up lines change nothing. */
export function enter(run: Run, phase: Phase, at: number): Run {
  return run.phase === 'ready' && !isEnd(phase) ? run : visit(run, phase, at);
}

/** A script has started a server again within its run: what was ready is gone, and the new one is verified like the first. */
export function startAnew(run: Run, at: number): Run {
  return { ...visit(run, 'launched', at), readiness: null, verification: null, vitals: null };
}

function visit(run: Run, phase: Phase, at: number): Run {
  return { ...entered(run, phase), phase, visits: [...fewer(run.visits), { phase, at }] };
}

/** What is dropped counts for the visit before: two at once, so that a training that saves and goes on has trained meanwhile. */
function fewer(visits: Run['visits']): Run['visits'] {
  return visits.length < MOST_VISITS ? visits : [...visits.slice(0, FIRST_VISITS), ...visits.slice(FIRST_VISITS + 2)];
}
