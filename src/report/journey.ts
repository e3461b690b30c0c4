/** The way of a run through its phases, in one line. */

import { isFound } from '../run/request.ts';
import { isEnd, type Phase, type Run } from '../run/run.ts';
import { isRunningUnasked } from '../run/unasked.ts';
import { duration } from './duration.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { hasWaited, nowSince, type PassedStep, passedSteps } from './steps.ts';
import { time } from './words.ts';

/** The phases passed with how long each took in all, then what is now and since when; as mrkdwn. The one that it failed in is bold. */
export function journey(run: Run): string {
  const first = run.visits[0];
  const last = run.visits.at(-1);
  if (last === undefined || first === undefined) return lower(PHASE_WORDS[run.phase]);
  const passed = passedSteps(run);
  const shown = passed.filter(({ phase }) => phase !== 'queued' || hasWaited(run));
  const steps = shown.map((step) =>
    run.phase === 'failed' && step === passed.at(-1) ? `*${stepWords(step)}*` : stepWords(step),
  );
  if (!isEnd(last.phase) && last.phase !== 'ready') {
    const name = isRunningUnasked(run) ? 'started, not verified' : stepName(last.phase);
    return [...steps, `${name} since ${time(nowSince(run))}`].join(' › ');
  }
  return [...(wasReadyWhenFound(run) ? [] : steps), lastStep(run)].join(' › ');
}

/** Of what is ready or has ended: `ready <time>, 1 min 42 s after the command`. */
export function lastStep(run: Run): string {
  const [first, last] = [run.visits[0], run.visits.at(-1)];
  if (last === undefined || first === undefined) return lower(PHASE_WORDS[run.phase]);
  const when = `${time(last.at)}, ${duration(last.at - first.at)} after ${isFound(run) ? 'its start' : 'the command'}`;
  return wasReadyWhenFound(run) ? `ready already when it was found ${when}` : `${stepName(last.phase)} ${when}`;
}

function wasReadyWhenFound({ visits, request }: Run): boolean {
  return visits.at(-1)?.phase === 'ready' && request.found?.answered === true;
}

/** `loading 15 s`. */
export function stepWords({ phase, ms }: PassedStep): string {
  return `${stepName(phase)} ${duration(ms)}`;
}

function stepName(phase: Phase): string {
  return phase === 'kv_cache' ? 'KV cache' : phase.replaceAll('_', ' ');
}
