/** How far drafts are accepted, position by position: a line of small bars, and its numbers for whoever can't see them. */

import { percent } from '../check/words.ts';
import { lengthWords } from '../verify/figures.ts';
import type { Acceptance } from '../verify/verification.ts';
import { code } from './escape.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** A position at which nothing was accepted. */
const NOTHING = '·';
/** A phone's line holds so many. */
const MOST = 32;

/** One character a position, the full bar = everything was accepted there: two curves can be compared by eye. */
export function curveBars(curve: readonly number[]): string {
  const bars = curve.slice(0, MOST).map(bar).join('');
  return curve.length > MOST ? `${bars}…` : bars;
}

/** `70 % at position 1, 45 % at 2, 0.6 % at 15`; '' without positions. */
export function curveNumbers(curve: readonly number[]): string {
  const places = [...new Set([0, 1, curve.length - 1])].filter((place) => place >= 0 && place < curve.length);
  return places
    .map((place, index) => `${percent(curve[place] ?? Number.NaN)} at ${index === 0 ? 'position ' : ''}${place + 1}`)
    .join(', ');
}

/** As mrkdwn: `acceptance rate 11 %, by position ▆▄▃▂: 70 % at position 1, …`. */
export function rateAndCurve({ rate, curve }: Acceptance): string {
  const words = `acceptance rate ${percent(rate)}`;
  return curve.length === 0 ? words : `${words}, by position ${code(curveBars(curve))}: ${curveNumbers(curve)}`;
}

/** For a card, as mrkdwn: `acceptance rate 11 % ▆▄▃▂`; what it is position by position is told in the thread. */
export function rateInShort({ rate, curve }: Acceptance): string {
  const words = `acceptance rate ${percent(rate)}`;
  return curve.length === 0 ? words : `${words} ${code(curveBars(curve))}`;
}

/** In full, with the length before it: `mean acceptance length 2.70, acceptance rate 11 %, …`. */
export function acceptanceWords(acceptance: Acceptance): string {
  return `mean acceptance length ${lengthWords(acceptance.length)}, ${rateAndCurve(acceptance)}`;
}

function bar(share: number): string {
  if (!(share > 0)) return NOTHING;
  return BARS[Math.min(BARS.length, Math.ceil(share * BARS.length)) - 1] ?? NOTHING;
}
