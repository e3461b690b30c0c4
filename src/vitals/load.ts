/** The load that a card shows: renewed at a slow pace, and soon when a server that idled is asked again, or the other way round. */

import { acceptanceBetween } from '../verify/acceptance.ts';
import type { Counters } from './counters.ts';
import type { Judged, Look } from './look.ts';
import type { Point } from './memory.ts';
import type { Load, Vitals } from './vitals.ts';

/** So many looks in a row must show the turn: requests that come one by one are none. */
const BUSY_LOOKS = 2;
const IDLE_LOOKS = 3;
/** Cards share Slack's limit: a turn changes one at most so often (ms). */
const TURNS_APART_MS = 60_000;

export function judgeLoad(vitals: Vitals, look: Look): Judged {
  const { counters, at, loadMs, before } = look;
  if (counters === null) return { vitals: uncounted(vitals, look), news: [] };
  const here: Point = { at, counters };
  const { from, turn } = vitals.memory.load;
  const isStale = before === null || at < before.at || at - before.at > loadMs;
  if (from === null || look.isBack || isStale) return keep(vitals, { from: here, turn: null });
  if (vitals.load === null || at - from.at >= loadMs) return renew(vitals, from, here);
  const isBusy = counters.running + counters.waiting > 0 || hasWorked(before.counters, counters);
  if (isBusy === showsWork(vitals.load)) return keep(vitals, { from, turn: null });
  const next = { from: turn?.from ?? before, looks: (turn?.looks ?? 0) + 1 };
  const isSure = next.looks >= (isBusy ? BUSY_LOOKS : IDLE_LOOKS);
  const isTime = at - vitals.load.at >= Math.min(loadMs, TURNS_APART_MS);
  return isSure && isTime ? renew(vitals, next.from, here) : keep(vitals, { from, turn: next });
}

/** A load that nobody has seen for so long is none to be shown any more: only that it answers. */
function uncounted(vitals: Vitals, { at, beat, loadMs }: Look): Vitals {
  const load = vitals.load !== null && Math.abs(at - vitals.load.at) > 2 * loadMs ? null : vitals.load;
  const shown = vitals.answeredAt ?? null;
  const isTime = load === null && beat.health === 'ok' && (shown === null || Math.abs(at - shown) >= loadMs);
  return { ...vitals, load, answeredAt: isTime ? at : shown };
}

function loadBetween(from: Point, to: Point): Load {
  const overMs = to.at - from.at;
  const [before, after] = [from.counters, to.counters];
  const perSecond = (name: 'promptTokens' | 'generatedTokens' | 'finished'): number =>
    overMs <= 0 ? 0 : Math.max(0, after[name] - before[name]) / (overMs / 1000);
  return {
    at: to.at,
    overMs,
    running: after.running,
    waiting: after.waiting,
    promptRate: perSecond('promptTokens'),
    generationRate: perSecond('generatedTokens'),
    kv: after.kv,
    finishedRate: perSecond('finished') * 60,
    acceptance:
      before.drafts === null || after.drafts === null
        ? null
        : acceptanceBetween(before.drafts, after.drafts, 'traffic'),
    answers: answersBetween(before.answers, after.answers),
  };
}

/** null where they aren't counted, or began anew. */
export function answersBetween(before: Counters['answers'], after: Counters['answers']): Counters['answers'] {
  if (before === null || after === null) return null;
  const more = {
    ok: after.ok - before.ok,
    client: after.client - before.client,
    server: after.server - before.server,
  };
  return Math.min(more.ok, more.client, more.server) < 0 ? null : more;
}

function hasWorked(before: Counters, after: Counters): boolean {
  return before.promptTokens !== after.promptTokens || before.generatedTokens !== after.generatedTokens;
}

function showsWork({ running, waiting, promptRate, generationRate }: Load): boolean {
  return running + waiting + promptRate + generationRate > 0;
}

function renew(vitals: Vitals, from: Point, here: Point): Judged {
  return keep({ ...vitals, load: loadBetween(from, here) }, { from: here, turn: null });
}

function keep(vitals: Vitals, load: Vitals['memory']['load']): Judged {
  return { vitals: { ...vitals, memory: { ...vitals.memory, load } }, news: [] };
}
