/** The fixed prompts, one after the other, between two looks at the counters: not on a server that others use. */

import type { Mask } from '../../log/lines.ts';
import type { Clock } from '../../tools.ts';
import { readPrompt, refusalIn } from '../../verify/answers.ts';
import type { PromptRun, Prompts } from '../../verify/measured.ts';
import { PROMPTS, promptRequest } from '../../verify/probes.ts';
import type { Counters } from '../../vitals/counters.ts';
import { countersOf } from '../../vitals/metrics.ts';
import { wait } from '../wait.ts';
import { type Server, tryServer } from './ask-server.ts';

const METRICS_MS = 5_000;
/** Of each prompt, and of all together: enough for five tokens a second. */
const PROMPT_MS = 60_000;
const ALL_MS = 120_000;
/** A timer and a clock may differ by so much. */
const TIMER_MS = 100;

export interface Sending {
  readonly server: Server;
  readonly as: 'chat' | 'plain';
  readonly model: string;
  readonly clock: Clock;
  /** Hides secrets in what it says. */
  readonly mask: Mask;
  /** Between two looks at a server that others use (ms). */
  readonly trafficMs: number;
  /** How it has answered so far. */
  readonly by: Prompts['by'];
}

/** Throws NotListening, and what Host.http throws of a host. */
export async function sendPrompts(sending: Sending): Promise<Prompts> {
  const { server, trafficMs, by } = sending;
  const first = await readCounters(server);
  const isUsed = isBusy(first);
  if (isUsed) await wait(trafficMs, server.signal);
  // What it was asked a moment ago may still be counted: who uses it does so twice.
  const before = isUsed ? await readCounters(server) : first;
  if (before !== null && isBusy(before)) {
    const drafts = draftsBetween(first, before, 'traffic');
    return { left: busyWith(before), runs: [], by, othersFinished: null, drafts, hasMetrics: true };
  }
  const sent = await sendAll(sending);
  const after = await readCounters(server);
  return {
    left: sent.left,
    runs: sent.runs,
    by: sent.by,
    othersFinished: othersFinished({ before, after, sent: sent.count }),
    drafts: draftsBetween(before, after, 'prompts'),
    hasMetrics: before !== null && after !== null,
  };
}

/** What it tells of its engine; null where it doesn't. Throws NotListening, and what Host.http throws of a host. */
export async function readCounters(server: Server): Promise<Counters | null> {
  const answer = await tryServer(server, { path: '/metrics', ms: METRICS_MS });
  return 'status' in answer && answer.status === 200 ? countersOf(answer.body) : null;
}

export function busyWith({ running, waiting }: Counters): NonNullable<Prompts['left']> {
  return { why: 'busy', running, waiting };
}

function isBusy(seen: Counters | null): boolean {
  return seen !== null && seen.running + seen.waiting > 0;
}

interface Sent {
  readonly left: Prompts['left'];
  readonly runs: readonly PromptRun[];
  readonly by: Prompts['by'];
  /** How many were sent, whatever came of them. */
  readonly count: number;
}

async function sendAll({ server, as, model, clock, mask, by: first }: Sending): Promise<Sent> {
  const end = clock.now() + ALL_MS;
  const runs: PromptRun[] = [];
  let by = first;
  let longest = 0;
  for (const [index, prompt] of PROMPTS.entries()) {
    const began = clock.now();
    const ms = Math.min(PROMPT_MS, end - began);
    // One that can't be over in time would only be a burden.
    if (ms <= longest) return { left: { why: 'budget' }, runs, by, count: index };
    const answer = await tryServer(server, { ...promptRequest(prompt, as, model), ms });
    const took = clock.now() - began;
    if ('why' in answer) {
      const late = ms < PROMPT_MS ? 'budget' : 'time';
      return { left: { why: took + TIMER_MS >= ms ? late : 'failed' }, runs, by, count: index + 1 };
    }
    const run = readPrompt(answer);
    if (run === null) {
      const refusal = refusalIn(answer, mask);
      const left: Prompts['left'] = refusal === null ? { why: 'failed' } : { why: 'refused', ...refusal };
      return { left, runs, by, count: index + 1 };
    }
    by = answer.by;
    longest = Math.max(longest, took);
    runs.push(run);
  }
  return { left: null, runs, by, count: PROMPTS.length };
}

/** null where they can't be counted, or it began anew meanwhile. A prompt of ours that was cut off may be counted or not. */
function othersFinished(of: { before: Counters | null; after: Counters | null; sent: number }): number | null {
  if (of.before === null || of.after === null || of.after.finished < of.before.finished) return null;
  return Math.max(0, of.after.finished - of.before.finished - of.sent);
}

function draftsBetween(
  before: Counters | null,
  after: Counters | null,
  of: NonNullable<Prompts['drafts']>['of'],
): Prompts['drafts'] {
  const [from, to] = [before?.drafts ?? null, after?.drafts ?? null];
  return from === null || to === null ? null : { before: from, after: to, of };
}
