/** The target is killed without a word of its own, as by the kernel's OOM killer; the trainer lives on, and trains on nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { logThroughput } from '../stand-in/throughput.mjs';
import { start } from '../startup/start.mjs';

/** Long enough that the training ends only when somebody stops it. */
export const plan = { stepsPerEpoch: 100_000 };

const servedSteps = 8;
const restSeconds = 20;
/** Real time: whoever watches must be able to see that the target answered, at any speed. */
const leastRestMs = 5_000;

export async function run(server) {
  await start(server);
  // Runs beside the wait and ends with the process.
  void logThroughput(server);
  await waitUntilUsed(server);
  server.vanish();
}

/** Two ranks ask for one sample a step. */
async function waitUntilUsed({ metrics, pace }) {
  const rest = Math.max(leastRestMs, (restSeconds * 1000) / pace.speed);
  while (metrics.read().requests === 0) await sleep(50);
  const began = Date.now();
  while (metrics.read().requests < 2 * servedSteps || Date.now() - began < rest) await sleep(50);
}
