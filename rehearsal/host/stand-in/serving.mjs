/** How a server serves, where its scenario says nothing else: real tokens and milliseconds, of a host that nobody speeds up. */

/** Speculation that accepts 1.7 of each draft: a mean length of 2.7, each position at a constant ratio to the one before. */
const healthyDrafts = { length: 2.7, decay: 0.63 };

/** A drafter that is given other layers than those that it was trained with: about 1 % of its drafts, and next to none after the first. */
export const misledDrafts = { length: 1.18, decay: 0.08 };

/** A drafter whose sliding layers see everything: the first draft token is nearly as good as ever, the rest is lost. */
export const blurredDrafts = { length: 1.65, decay: 0.125 };

/**
 * - `tokensPerSecond`, `firstTokenMs`: the pace of one request;
 * - `drafts`: what speculation is worth;
 * - `layerOffset`: what this build of vLLM adds to the drafter's layer ids;
 * - `tasks`: what `Supported tasks` says, null = by the command; `hasTemplate`: chat works.
 */
export const usualServing = {
  tokensPerSecond: 73.5,
  firstTokenMs: 120,
  drafts: healthyDrafts,
  layerOffset: 1,
  tasks: null,
  hasTemplate: true,
};

/** Chance of each position, falling by a constant factor and adding up to the accepted tokens of one draft. */
export function positionShares(slots, { length, decay }) {
  if (slots === 0) return [];
  const series = (1 - decay ** slots) / (1 - decay);
  const first = Math.min(0.95, (length - 1) / series);
  return Array.from({ length: slots }, (_, position) => first * decay ** position);
}
