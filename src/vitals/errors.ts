/**
 * Requests that end in errors of the server's own. A client that sends bad requests (4xx) is none of it: the card may show how many, nobody is called.
 * Where answers aren't counted, exceptions of the engine in the log count.
 */

import { answersBetween } from './load.ts';
import type { Judged, Look } from './look.ts';
import type { ErrorMemory } from './memory.ts';
import type { ErrorRate, Vitals } from './vitals.ts';

/** A window of the count (ms). */
const WINDOW_MS = 5 * 60_000;
/** So many 5xx answers in a window, and such a part of all, are told. */
const MOST_ANSWERS = 10;
const MOST_PART = 0.05;
/** The same for exceptions in the log: each may have failed several requests. */
const MOST_LOGGED = 5;
/** So many windows in a row without too many, and it is over. */
const CALM_WINDOWS = 3;
/** Errors around the threshold come and go for days: the card shows them, and they are told again after an hour, then two, up to a shift (ms). */
const TOLD_APART_MS = 60 * 60_000;
const MOST_TIMES = 8;
const MOST_WORDS = 200;

export function judgeErrors(vitals: Vitals, look: Look): Judged {
  if (vitals.death !== null || vitals.memory.death.dying !== null) return { vitals, news: [] };
  const memory = vitals.memory.errors;
  const { at, counters } = look;
  const answers = counters?.answers ?? null;
  if (memory.from === null || look.isGap || look.isBack)
    return { vitals: remember(vitals, { ...memory, ...opened(look) }), news: [] };
  const rate = rateOf(memory, answers, at - memory.from);
  const isTooMany = rate !== null && isBurst(rate);
  if (isTooMany && vitals.errors === null) {
    const next = { ...vitals, errors: rate };
    const times = memory.times ?? 0;
    const isNews = memory.toldAt == null || Math.abs(at - memory.toldAt) >= times * TOLD_APART_MS;
    const told = isNews ? { toldAt: at, times: Math.min(times + 1, MOST_TIMES) } : {};
    return {
      vitals: remember(next, { ...memory, ...opened(look), ...told, calm: 0 }),
      news: isNews ? [{ kind: 'errors', errors: rate }] : [],
    };
  }
  if (at - memory.from < WINDOW_MS)
    return { vitals: remember(vitals, { ...memory, answers: memory.answers ?? answers }), news: [] };
  const calm = isTooMany ? 0 : memory.calm + 1;
  const isOver = vitals.errors === null || calm >= CALM_WINDOWS;
  const errors = isOver ? null : isTooMany ? rate : vitals.errors;
  return { vitals: remember({ ...vitals, errors }, { ...memory, ...opened(look), calm }), news: [] };
}

/** An exception of the engine or a worker, as its log has it, masked. */
export function hearError(vitals: Vitals, words: string): Vitals {
  const { errors } = vitals.memory;
  return remember(vitals, { ...errors, logged: errors.logged + 1, last: words.slice(0, MOST_WORDS) });
}

/** What a new window begins with. */
function opened({ at, counters }: Look): Pick<ErrorMemory, 'from' | 'answers' | 'logged' | 'last'> {
  return { from: at, answers: counters?.answers ?? null, logged: 0, last: null };
}

/** null where neither the answers nor the log tell of any. */
function rateOf(
  { answers: before, logged, last }: ErrorMemory,
  now: ErrorMemory['answers'],
  overMs: number,
): ErrorRate | null {
  const more = answersBetween(before, now);
  if (more !== null)
    return { count: more.server, of: more.ok + more.client + more.server, overMs, from: 'answers', last };
  return logged === 0 ? null : { count: logged, of: null, overMs, from: 'log', last };
}

function isBurst({ count, of }: ErrorRate): boolean {
  return of === null ? count >= MOST_LOGGED : count >= MOST_ANSWERS && count >= of * MOST_PART;
}

function remember(vitals: Vitals, errors: ErrorMemory): Vitals {
  return { ...vitals, memory: { ...vitals.memory, errors } };
}
