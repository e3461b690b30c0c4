/** How far something is, as a bar that is as long on a phone as on a desk. */

const CELLS = 10;

/** `▰▰▱▱▱▱▱▱▱▱ 20 %`. `share`: 0 to 1. */
export function bar(share: number): string {
  const full = Math.floor((wholePercent(share) / 100) * CELLS);
  return `${'▰'.repeat(full)}${'▱'.repeat(CELLS - full)} ${wholePercent(share)} %`;
}

/** From 0 to 100: the last one only once all is there. A hundredth is not lost to the way that fractions are kept. */
export function wholePercent(share: number): number {
  return Math.floor(Math.min(1, Math.max(0, share)) * 100 + 1e-9);
}
