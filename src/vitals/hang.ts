/**
 * A server that takes requests and does nothing. /health knows nothing of it: the engine's own counters do, and where they don't, its log's word that the
 * core waits for a worker (`No available shared memory broadcast block found in 60 seconds`, each minute). Use of CPU and GPU is evidence, never the verdict:
 * a rank that waits for another shows 100 % of both.
 */

import { alarmsApart } from './apart.ts';
import type { Counters } from './counters.ts';
import type { Judged, Look } from './look.ts';
import type { HangMemory, Stretch } from './memory.ts';
import type { Beat, Hang, Vitals } from './vitals.ts';

/** Nothing moves for this long, and it is told (ms). */
const BUDGET_MS = 60_000;
/** First requests of a kind may compile kernels for minutes: so long after it became ready the budget is longer. */
const YOUNG_MS = 10 * 60_000;
const YOUNG_BUDGET_MS = 180_000;
/** Requests that only wait stand still for reasons of their own: a grammar that is compiled, a cache that comes from another server. */
const WAITING_BUDGET_MS = 180_000;
/** A compiler of its own has begun since (nvcc for a kernel that FlashInfer lacks): such a build takes a quarter of an hour. */
const COMPILING_BUDGET_MS = 15 * 60_000;
/** Its log moves while /health is not answered in time: so many times the budget, since it is busy and answers others. */
const BUSY_TIMES = 5;
/** The small request that shows whether an engine lives may still be counted after its answer: one, with no more tokens than this. */
const OWN_TOKENS = 64;
/** So many looks at least must have shown it. */
const LOOKS = 3;
/** The core says each minute that it waits: each of several cores does, and longer than this after the last time none does any more (ms). */
const WAITS_APART_MS = 45_000;
const WAITS_OVER_MS = 150_000;
const WAITS_RECENT_MS = 90_000;
/** Said so many times in a row, it hangs; more often while it is young. */
const WAITS = 2;
const YOUNG_WAITS = 3;
/** It says so for the first time when it has waited this long already (ms). */
const WAITED_MS = 60_000;
/** What lasts this long is no flicker: it is told, however short ago another one was (ms). */
const LASTING_MS = 5 * 60_000;

/** ms without a move that are told. */
export function hangBudget(look: Pick<Look, 'at' | 'readyAt' | 'budgetMs' | 'counters'>): number {
  const { budgetMs, counters } = look;
  if (budgetMs !== null) return budgetMs;
  if (isYoung(look)) return YOUNG_BUDGET_MS;
  return counters?.running === 0 ? WAITING_BUDGET_MS : BUDGET_MS;
}

export function judgeHang(vitals: Vitals, look: Look): Judged {
  if (vitals.death !== null || vitals.memory.death.dying !== null)
    return { vitals: remember({ ...vitals, hang: null }, calmed(vitals.memory.hang)), news: [] };
  const seen = remember(vitals, see(vitals.memory.hang, look));
  return seen.hang === null ? begin(seen, look) : end(seen, seen.hang, look);
}

/** The engine's log says that it waits for a worker. */
export function hearWait(vitals: Vitals, at: number): Vitals {
  const { hang } = vitals.memory;
  const { waits } = hang;
  const passed = waits === null ? null : at - waits.last;
  if (waits === null || passed === null || passed < 0 || passed > WAITS_OVER_MS)
    return remember(vitals, { ...hang, waits: { from: at, last: at, times: 1 } });
  if (passed < WAITS_APART_MS) return vitals;
  return remember(vitals, { ...hang, waits: { ...waits, last: at, times: waits.times + 1 } });
}

/** Something looks like a hang that is not told yet: more evidence of it is worth a question to the host. */
export function looksLikeHang({ hang, death, memory: { hang: known } }: Vitals): boolean {
  if (hang !== null || death !== null) return false;
  return known.still !== null || known.unanswered !== null || known.waits !== null;
}

/** Its counters have stood still for some looks, and a small request may show whether they mean anything. */
export function wantsProof({ hang, death, memory: { hang: known } }: Vitals): boolean {
  return hang === null && death === null && (known.still?.looks ?? 0) >= LOOKS - 1;
}

/** After a time in which nobody could see it, or in which it was none of ours to judge. */
export function calmed(memory: HangMemory): HangMemory {
  return { ...memory, still: null, unanswered: null, waits: null };
}

function see(known: HangMemory, look: Look): HangMemory {
  const { counters, before, at, beat } = look;
  const isUp = beat.health === 'ok' || beat.health === 'dead';
  const memory = look.isGap
    ? { ...calmed(known), toldAt: known.toldAt === null ? null : Math.min(known.toldAt, at) }
    : known;
  const unanswered = isUp ? null : longer(memory.unanswered, at);
  const isOver = look.isMoved && !hasOthers(look);
  const waits = isOver || (memory.waits !== null && at - memory.waits.last > WAITS_OVER_MS) ? null : memory.waits;
  if (counters === null) return { ...memory, unanswered, waits };
  const stale = staleOf(memory.stale ?? null, counters, beat);
  const isStill = isAsked(counters) && stale === null && before !== null && !look.isMoved;
  const since = look.isGap ? at : (before?.at ?? at);
  return { ...memory, unanswered, waits, stale, still: isStill ? longer(memory.still, since) : null };
}

/** An engine that sleeps does nothing until it is woken, whoever waits. */
function isAsked({ running, waiting, isAsleep }: Counters): boolean {
  return running + waiting > 0 && isAsleep !== true;
}

/** Gauges come with the engine's steps: when all requests are given up at once they show them until the next one (vllm-project/vllm#22545). */
function staleOf(known: Stale | null, counters: Counters, { answered }: Beat): Stale | null {
  const { running, waiting, finished, generatedTokens } = counters;
  if (answered === true) return { running, waiting, finished, generatedTokens };
  if (known === null || known.running !== running || known.waiting !== waiting) return null;
  const isMore = finished - known.finished > 1 || generatedTokens - known.generatedTokens > OWN_TOKENS;
  return isMore ? null : known;
}

/** One engine of several may hang while the others move. */
function hasOthers({ counters }: Look): boolean {
  return (counters?.engines ?? 1) > 1;
}

function longer(stretch: Stretch | null, at: number): Stretch {
  return stretch === null ? { from: at, looks: 1 } : { ...stretch, looks: stretch.looks + 1 };
}

type Stale = NonNullable<HangMemory['stale']>;

interface Found {
  readonly from: number;
  readonly by: 'counters' | 'log' | 'silence';
}

function begin(vitals: Vitals, look: Look): Judged {
  const { hang: memory } = vitals.memory;
  const found = findHang(memory, look);
  if (found === null) return { vitals, news: [] };
  const isTime = memory.toldAt === null || look.at - memory.toldAt >= alarmsApart(memory.times);
  if (!isTime && look.at - found.from < LASTING_MS) return { vitals, news: [] };
  const hang = hangOf(found, vitals, look);
  const told = { ...memory, told: found, toldAt: look.at, times: memory.times + 1 };
  return { vitals: remember({ ...vitals, hang }, told), news: [{ kind: 'hang', hang }] };
}

function findHang({ still, unanswered, waits }: HangMemory, look: Look): Found | null {
  const { at, beat, counters, heardAt } = look;
  const budget = hangBudget(look);
  const isLong = ({ from, looks }: Stretch, ms: number): boolean => looks >= LOOKS && at - from >= ms;
  if (unanswered !== null) {
    const isBusy = beat.health === 'silent' && heardAt > unanswered.from;
    return isLong(unanswered, isBusy ? BUSY_TIMES * budget : budget) ? { from: unanswered.from, by: 'silence' } : null;
  }
  if (
    counters !== null &&
    still !== null &&
    isLong(still, isCompiling(beat, still.from) ? COMPILING_BUDGET_MS : budget)
  )
    return { from: still.from, by: 'counters' };
  const isSaid = waits !== null && waits.times >= (isYoung(look) ? YOUNG_WAITS : WAITS);
  if (!isSaid || beat.health !== 'ok' || at - waits.last > WAITS_RECENT_MS) return null;
  const from = waits.from - WAITED_MS;
  return isCompiling(beat, from) && at - from < COMPILING_BUDGET_MS ? null : { from, by: 'log' };
}

function isCompiling({ newcomerAt }: Beat, from: number): boolean {
  return newcomerAt != null && newcomerAt >= from;
}

function hangOf({ from, by }: Found, { memory }: Vitals, { at, beat }: Look): Hang {
  const counters = beat.counters ?? memory.last?.counters ?? null;
  const { waits } = memory.hang;
  return {
    what: by === 'silence' ? 'server' : 'engine',
    forMs: at - from,
    running: counters?.running ?? 0,
    waiting: counters?.waiting ?? 0,
    health: beat.health,
    generatedTokens: counters?.generatedTokens ?? null,
    cores: beat.cores,
    gpuUse: beat.gpuUse,
    saysThatItWaits: waits !== null && at - waits.last <= WAITS_RECENT_MS,
    ...(beat.answered === false ? { ownUnanswered: true as const } : {}),
  };
}

function end(vitals: Vitals, hang: Hang, look: Look): Judged {
  const { hang: memory } = vitals.memory;
  const { told } = memory;
  if (told !== null && !isOver(told, memory, look)) return { vitals, news: [] };
  const ms = told === null ? hang.forMs : Math.max(hang.forMs, look.at - told.from);
  const next = remember({ ...vitals, hang: null }, { ...calmed(memory), told: null });
  return { vitals: next, news: [{ kind: 'hang_over', hang, ms }] };
}

function isOver({ by }: Found, { waits }: HangMemory, { beat, counters, isMoved, isBack }: Look): boolean {
  if (by === 'silence') return beat.health === 'ok';
  if (by === 'log') return waits === null && beat.health === 'ok';
  return isMoved || isBack || (counters !== null && !isAsked(counters));
}

function isYoung({ at, readyAt }: Pick<Look, 'at' | 'readyAt'>): boolean {
  return at - readyAt < YOUNG_MS;
}

function remember(vitals: Vitals, hang: HangMemory): Vitals {
  return { ...vitals, memory: { ...vitals.memory, hang } };
}
