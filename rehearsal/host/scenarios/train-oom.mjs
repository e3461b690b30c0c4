/** Rank 1 runs out of GPU memory at its 24th step; the other one is interrupted and killed. */
export { run } from './good.mjs';

export const plan = { stepsPerEpoch: 40, oom: { rank: 1, step: 23 } };
