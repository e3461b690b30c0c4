/** What comes and goes is no news each time: each alarm waits longer than the one before. */

const FIRST_MS = 5 * 60_000;
const MOST_MS = 60 * 60_000;

/** ms from one alarm to the next, after so many: five minutes, then twice as long each time, up to an hour. */
export function alarmsApart(times: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, times - 1), MOST_MS);
}
