/** The way of a run through its phases, in one line. */

import { isFound } from '../run/request.ts';
import { isEnd, type Phase, type Run } from '../run/run.ts';
import { isRunningUnasked } from '../run/unasked.ts';
import { duration } from './duration.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { time } from './words.ts';

/** The phases passed with how long each took in all, then what is now and since when. */
export function journey(run: Run): string {
  const first = run.visits[0];
  const last = run.visits.at(-1);
  if (last === undefined || first === undefined) return lower(PHASE_WORDS[run.phase]);
  const steps = passed(run).map(({ phase, ms }) => `${phaseName(phase)} ${duration(ms)}`);
  if (!isEnd(last.phase) && last.phase !== 'ready') {
    const since = last.phase === 'training' ? (run.training?.since ?? last.at) : last.at;
    const name = isRunningUnasked(run) ? 'started, not verified' : phaseName(last.phase);
    return [...steps, `${name} since ${time(since)}`].join(' › ');
  }
  const when = `${time(last.at)}, ${duration(last.at - first.at)} after ${isFound(run) ? 'its start' : 'the command'}`;
  if (last.phase === 'ready' && run.request.found?.answered === true) return `ready already when it was found ${when}`;
  return `${[...steps, phaseName(last.phase)].join(' › ')} ${when}`;
}

/** A wrapper that starts its server again makes the same phase twice in a row; a training goes between two of them all the time. */
function passed({ phase, visits, request }: Run): { phase: Phase; ms: number }[] {
  const steps: { phase: Phase; ms: number }[] = [];
  visits.forEach((visit, index) => {
    const next = visits[index + 1];
    if (next === undefined) return;
    const ms = next.at - visit.at;
    const known =
      request.kind === 'train' ? steps.find(({ phase }) => phase === visit.phase) : lastOf(steps, visit.phase);
    if (known === undefined) steps.push({ phase: visit.phase, ms });
    else known.ms += ms;
  });
  const isBack = request.kind === 'train' && !isEnd(phase);
  return steps.filter((step) => !isBack || step.phase !== phase).slice(-12);
}

function lastOf<T extends { phase: Phase }>(steps: readonly T[], phase: Phase): T | undefined {
  const last = steps.at(-1);
  return last?.phase === phase ? last : undefined;
}

function phaseName(phase: Phase): string {
  return phase === 'kv_cache' ? 'KV cache' : phase.replace('_', ' ');
}
