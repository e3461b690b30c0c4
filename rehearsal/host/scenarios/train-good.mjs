/** A training to its good end: the target serves until the script stops it. Two epochs of 20 steps. */
export { run } from './good.mjs';
