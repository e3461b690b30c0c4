/** What a run teaches the next ones of its recipe on its host. */

import { isFound } from '../run/request.ts';
import { isEnd, type Phase, type Run } from '../run/run.ts';
import type { PaceRecord, PhasePace } from './pace.ts';

/** Not of the run's own process: how long the line of a host is teaches nothing. */
const OURS: readonly Phase[] = ['queued', 'checking'];

/**
 * Of a server that is ready, of a training that has started or finished: its phases that are over. null of what teaches nothing: it is not as far,
 * its script started it several times, or somebody else started it. `at` is our clock (ms).
 */
export function paceOf(run: Run, at: number): PaceRecord | null {
  if (isFound(run) || run.restarts > 0 || !isThere(run)) return null;
  const phases = run.visits.slice(0, -1).reduce<readonly PhasePace[]>((known, { phase, at: from }, index) => {
    const ms = Math.max(0, (run.visits[index + 1]?.at ?? from) - from);
    return OURS.includes(phase) ? known : added(known, { phase, ms, silentMs: silenceOf(run, phase) });
  }, []);
  const over = phases.filter(({ phase }) => phase !== run.phase);
  return over.length === 0 ? null : { run: run.request.id, at, phases: over };
}

function isThere({ request, phase, training }: Run): boolean {
  if (request.kind === 'serve') return phase === 'ready';
  return phase === 'finished' || (training !== null && !isEnd(phase));
}

function added(known: readonly PhasePace[], visit: PhasePace): readonly PhasePace[] {
  const old = known.find(({ phase }) => phase === visit.phase);
  if (old === undefined) return [...known, visit];
  return known.map((own) => (own === old ? { ...old, ms: old.ms + visit.ms } : own));
}

function silenceOf({ work: { silences } }: Run, of: Phase): number {
  return silences.find(({ phase }) => phase === of)?.ms ?? 0;
}
