/** Rank 1 sleeps at step 30 and never wakes; rank 0 waits for it in an all-reduce and looks busy. The target is well. */
export { run } from './good.mjs';

export const budgets = { training: 120 };
export const hasRas = true;
export const plan = { stepsPerEpoch: 60, hang: { rank: 1, step: 30 } };
