/**
 * Drafts that are accepted less than before. What clients ask moves acceptance by itself: random text halves it, a thinking mode other than in training
 * takes more than half. So the reference is this server's own first traffic (or its verification, where that was lower), and only a gain below two fifths of
 * it counts, three windows in a row, or what lies below the recipe's own floor. What drafts gain is the length without the token that comes anyway.
 */

import { acceptanceBetween } from '../verify/acceptance.ts';
import type { Acceptance } from '../verify/verification.ts';
import type { Judged, Look } from './look.ts';
import type { TrendMemory } from './memory.ts';
import type { Vitals } from './vitals.ts';

const REFERENCE_DRAFTS = 2_000;
/** A window has at least so many drafts, and is at least as long as the card's load. */
const WINDOW_DRAFTS = 1_000;
const LOW_PART = 0.4;
const LOW_WINDOWS = 3;
/** Who gains nothing to begin with can't lose it. */
const LEAST_GAIN = 0.1;

export function judgeTrend(vitals: Vitals, look: Look): Judged {
  const drafts = look.counters?.drafts ?? null;
  if (drafts === null || vitals.fall !== null) return { vitals, news: [] };
  const memory = vitals.memory.trend;
  const here = { at: look.at, drafts };
  if (memory.from === null || look.isBack || look.at < memory.from.at)
    return { vitals: remember(vitals, { ...memory, from: here, low: null }), news: [] };
  const window = acceptanceBetween(memory.from.drafts, drafts, 'traffic');
  const least = memory.reference === null ? REFERENCE_DRAFTS : WINDOW_DRAFTS;
  if (window === null || window.drafts < least || look.at - memory.from.at < look.loadMs) return { vitals, news: [] };
  if (memory.reference === null)
    return { vitals: remember(vitals, { ...memory, from: here, reference: lower(window, look.verified) }), news: [] };
  return compare(vitals, { memory: { ...memory, from: here }, began: memory.from.drafts, window, look });
}

interface Window {
  readonly memory: TrendMemory;
  /** Where it began. */
  readonly began: NonNullable<TrendMemory['low']>['from'];
  readonly window: Acceptance;
  readonly look: Look;
}

function compare(vitals: Vitals, { memory, began, window, look }: Window): Judged {
  const { reference, from } = memory;
  const floor = look.acceptanceFloor;
  if (reference === null || from === null || !isLow(window, reference, floor))
    return { vitals: remember(vitals, { ...memory, low: null }), news: [] };
  const low = { from: memory.low?.from ?? began, windows: (memory.low?.windows ?? 0) + 1 };
  if (low.windows < LOW_WINDOWS) return { vitals: remember(vitals, { ...memory, low }), news: [] };
  const after = acceptanceBetween(low.from, from.drafts, 'traffic') ?? window;
  const fall = { before: reference, after, floor: floor !== null && after.length < floor ? floor : null };
  return {
    vitals: { ...remember(vitals, { ...memory, low: null }), fall },
    news: [{ kind: 'acceptance_fell', fall }],
  };
}

function isLow({ length }: Acceptance, reference: Acceptance, floor: number | null): boolean {
  const gain = reference.length - 1;
  if (floor !== null && reference.length >= floor && length < floor) return true;
  return gain >= LEAST_GAIN && length - 1 < LOW_PART * gain;
}

function lower(traffic: Acceptance, verified: Acceptance | null): Acceptance {
  return verified !== null && verified.length < traffic.length ? verified : traffic;
}

function remember(vitals: Vitals, trend: TrendMemory): Vitals {
  return { ...vitals, memory: { ...vitals.memory, trend } };
}
