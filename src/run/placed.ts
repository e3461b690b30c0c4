/** Between the line and the start: a run gets its GPUs, or loses them again. */

import { enter } from './enter.ts';
import type { Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { isEnd, type Run } from './run.ts';

/** The run has its GPUs; one that stood in the line has its turn with them, and counts from here. */
export function placed(run: Run, { placement, at, seen }: Observation & { kind: 'placed' }): Step {
  if (run.waiting === null) return { run: { ...run, placement }, happened: [] };
  const turn = { kind: 'turn', waitedMs: at - run.request.at, devices: placement?.devices ?? [] } as const;
  return { run: { ...run, placement, waiting: null, turnAt: at }, happened: [{ at, seen, ...turn }] };
}

/** Not once the launch has been tried, nor of one that is being stopped. */
export function turnLost(run: Run, { taken, at, seen }: Observation & { kind: 'turn_lost' }): Step {
  if (run.waiting !== null || run.attempted || run.stopBy !== null || isEnd(run.phase)) return { run, happened: [] };
  const { gpus } = run.request;
  const count = typeof gpus === 'number' ? gpus : null;
  const waiting = { ahead: [], count, holders: taken.holders, why: null, after: [] };
  return {
    run: { ...enter(run, 'queued', at), placement: null, turnAt: null, checks: null, waiting },
    happened: [{ at, seen, kind: 'turn_lost', taken }],
  };
}
