/**
 * The shape of acceptance by position. A drafter that works loses about the same share at each position (a ratio of 0.5 to 0.7); what is broken shows where
 * the curve leaves that.
 */

import type { Acceptance } from './verification.ts';

/**
 * none: nothing is accepted. hardly: as by chance, what wrong hidden states give. steep: the first position is well and what follows is lost. young: a first
 * position like that of a drafter that was trained little. cliff: well up to a position, and nothing from there on. low: an even fall from a low start.
 * even: an even fall from a good one.
 */
export type Shape = 'none' | 'hardly' | 'steep' | 'young' | 'cliff' | 'low' | 'even';

/** Of z-lab's offset fault the first position has 0.1 to 0.17; a smoke-trained drafter has 0.37 (0.30 is upstream's floor for it). */
const NONE = 0.02;
const HARDLY = 0.2;
const LOW = 0.3;
const GOOD = 0.5;
/** Second position to first: a smoke-trained drafter has 0.24, a good one 0.6. */
const STEEP = 0.35;
/** Up to a cliff each position keeps that much of the one before, and there less than a seventh. */
const EVEN = 0.45;
const GONE = 0.15;
/** As many must be accepted before a cliff, for it not to be chance. */
const ENOUGH = 16;
/** Beside a record: what of its first position is as good as the same, and of the rest is lost. */
const SAME = 0.8;
const LOST = 0.5;

/** Drafts of which some are shorter than the curve say less of its end: it was not drafted, rather than not accepted. */
const WHOLE = 0.9;

type Known = Pick<Acceptance, 'curve' | 'length' | 'drafts' | 'rate'>;

/** At the first position, also where the server doesn't tell by position. */
export function firstPosition({ curve, length }: Pick<Acceptance, 'curve' | 'length'>): number {
  return curve[0] ?? Math.min(1, length - 1);
}

/** `record`: what the same recipe has reached, or null. */
export function shapeOf(acceptance: Known, record: Known | null): Shape {
  const first = firstPosition(acceptance);
  if (first < NONE) return 'none';
  if (first < HARDLY) return 'hardly';
  if (cliffAt(acceptance) !== null) return 'cliff';
  if (record !== null && losesTheRest(acceptance, record)) return 'steep';
  const second = isWhole(acceptance) ? acceptance.curve[1] : undefined;
  if (first >= LOW && second !== undefined && second < first * STEEP) return first >= GOOD ? 'steep' : 'young';
  return first >= GOOD ? 'even' : 'low';
}

/** How many positions are well before nothing is accepted any more, or null: not by chance, and not at the second one, which is steep. */
export function cliffAt(acceptance: Known): number | null {
  const { curve, drafts } = acceptance;
  if (!isWhole(acceptance)) return null;
  const ratios = curve.map((rate, position) => {
    const before = curve[position - 1] ?? 1;
    return before === 0 ? 0 : rate / before;
  });
  const at = ratios.findIndex((ratio, position) => position > 0 && ratio < EVEN);
  const isSure = at > 1 && (ratios[at] ?? 1) < GONE && (curve[at - 1] ?? 0) * drafts >= ENOUGH;
  return isSure ? at : null;
}

/** Whether each draft has as many tokens as the curve has positions; some methods draft fewer where they are less sure. */
function isWhole({ curve, length, rate }: Known): boolean {
  return rate === 0 || (length - 1) / rate >= curve.length * WHOLE;
}

function losesTheRest(now: Known, record: Known): boolean {
  const [first, before] = [firstPosition(now), firstPosition(record)];
  const rest = record.length - 1 - before;
  return rest > 0.2 && first >= before * SAME && now.length - 1 - first < rest * LOST;
}
