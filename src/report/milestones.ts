/**
 * The milestones of a start. Between its launch and its readiness a normal one is told in two replies: the GPUs are connected, the weights are there. What
 * came after them is told with the readiness. All phases with their times stand on the card.
 */

import { noteOf } from '../run/phase-note.ts';
import type { Phase, PhaseVisit, Run, RunEvent } from '../run/run.ts';
import { duration } from './duration.ts';
import { clip, escapeText } from './escape.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { thisStart } from './steps.ts';

/** What vLLM does with the weights once it has them, and what a server does then. */
const AFTER_LOADING: readonly Phase[] = ['compiling', 'kv_cache', 'capturing'];
/** A download that took so long is worth a word (ms). */
const LONG_DOWNLOAD_MS = 60_000;

/** As mrkdwn; null where another milestone of the same start tells of it. It depends on nothing that came after the event. */
export function milestone(event: RunEvent & { kind: 'phase' }, run: Run): string | null {
  const before = startBefore(event, run);
  const note = event.note === null ? '' : escapeText(clip(event.note, 300));
  switch (event.phase) {
    case 'target_ready':
      return `The target server is ready${note === '' ? '' : ` after ${note}`}.`;
    case 'downloading':
    case 'loading':
      return fetched(event, before) ?? connected(event.phase, note, before);
    case 'compiling':
    case 'kv_cache':
    case 'capturing':
      return before.some(({ phase }) => AFTER_LOADING.includes(phase)) ? null : loaded(event.phase, note);
    default:
      return null;
  }
}

/** `Downloaded in 14 min, loading weights.` */
function fetched({ phase, at }: RunEvent & { kind: 'phase' }, before: readonly PhaseVisit[]): string | null {
  const last = before.at(-1);
  if (phase !== 'loading' || last?.phase !== 'downloading' || at - last.at < LONG_DOWNLOAD_MS) return null;
  return `Downloaded in ${duration(at - last.at)}, ${lower(PHASE_WORDS.loading)}.`;
}

function connected(phase: Phase, note: string, before: readonly PhaseVisit[]): string | null {
  if (before.some((visit) => visit.phase === 'loading' || visit.phase === 'downloading')) return null;
  return reached('NCCL up', note, phase);
}

function loaded(phase: Phase, note: string): string {
  return reached(phase === 'capturing' ? 'KV cache sized' : 'Weights loaded', note, phase);
}

/** `NCCL up (world size 2, NCCL 2.28.9), loading weights.`; without a note nothing shows what came before. */
export function reached(what: string, note: string, next: Phase): string {
  return note === '' ? `${PHASE_WORDS[next]}.` : `${what} (${note}), ${lower(PHASE_WORDS[next])}.`;
}

/** The visits of the same start up to the event, without its own. */
function startBefore({ phase, at }: RunEvent & { kind: 'phase' }, { visits }: Run): readonly PhaseVisit[] {
  const own = visits.findLastIndex((visit) => visit.phase === phase && visit.at <= at);
  const until = own < 0 ? visits.filter((visit) => visit.at <= at) : visits.slice(0, own + 1);
  return thisStart(until).filter((visit) => visit.phase !== phase);
}

/** `Start-up: loading weights 15 s, compiling 1 min. KV cache: room for 203,152 tokens.`; as mrkdwn, null where no start was seen. */
export function startUpWords({ at }: RunEvent & { kind: 'ready' }, { visits, reading }: Run): string | null {
  const own = visits.findLastIndex((visit) => visit.phase === 'ready' && visit.at <= at);
  const start = thisStart(own < 0 ? visits : visits.slice(0, own + 1));
  const steps = start.flatMap(({ phase, at: from }, index) => {
    const next = start[index + 1];
    return next === undefined || !TOLD.includes(phase)
      ? []
      : [`${lower(PHASE_WORDS[phase])} ${duration(next.at - from)}`];
  });
  if (steps.length === 0) return null;
  const room = noteOf('capturing', reading);
  return `Start-up: ${steps.join(', ')}.${room === null ? '' : ` KV cache: ${escapeText(room)}.`}`;
}

const TOLD: readonly Phase[] = ['downloading', 'loading', ...AFTER_LOADING];
