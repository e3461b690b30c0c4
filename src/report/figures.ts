/** Shares and rates as people read them. */

import { grouped } from '../check/words.ts';

/** Of 0 to 1: `41 %`, `1.1 %`, `below 0.1 %`, `0 %`. */
export function percent(share: number): string {
  const value = share * 100;
  if (!Number.isFinite(value)) return 'an unknown share';
  if (value > 0 && value < 0.1) return 'below 0.1 %';
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)} %`;
}

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

/** `1 request`, `3 requests`. */
export function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}
