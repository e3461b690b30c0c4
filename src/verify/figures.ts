/** Rates and lengths as people read them, the same in a finding, on a card and in the history. */

import { grouped } from '../check/words.ts';

/** `61.2 tokens/s`, `2,310 tokens/s`. */
export function tokensPerSecond(rate: number): string {
  return `${rateWords(rate)} tokens/s`;
}

/** `61.2`, `812`, `2,310`. */
export function rateWords(rate: number): string {
  if (!Number.isFinite(rate)) return 'an unknown number of';
  return rate < 99.95 ? `${Number(rate.toFixed(1))}` : grouped(Math.round(rate));
}

/** `2.70`, as vLLM writes it. */
export function lengthWords(length: number): string {
  return Number.isFinite(length) ? length.toFixed(2) : 'unknown';
}
