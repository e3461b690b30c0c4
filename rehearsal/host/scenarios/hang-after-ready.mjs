/**
 * Gets ready and answers; some seconds after it was last asked, users come, and in the midst of their answers the engine stands still, for ever.
 * /health stays 200, every counter stands (the gauges too, since they come with the engine's steps), and a rank spins on a core and its GPU.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { untilRested } from '../stand-in/after-ready.mjs';
import { logThroughput } from '../stand-in/throughput.mjs';
import { talkAtLength } from '../stand-in/users.mjs';
import { start } from '../startup/start.mjs';

/** How long the engine may stand still after readiness (s). */
export const budgets = { ready: 60 };

const users = 4;
const warnSeconds = 60;
/** Real time, at any speed: counters are seen to move before they stand, and one warning comes after the other. */
const talkMs = 2_500;
const leastWarnMs = 2_000;
const beatMs = 300;
/** Rounds of a shell's loop a beat: a real rank that waits takes a whole core. */
const rounds = 40_000;

const warning =
  'No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging or doing some time-consuming work (e.g. compilation, weight/kv cache quantization).';

export async function run(server) {
  await start(server);
  // Runs beside the rest and ends with the process.
  void logThroughput(server);
  await untilRested(server);
  talkAtLength(server, users);
  await sleep(talkMs);
  server.generation.hang();
  server.useGpus([100, 100]);
  void warn(server);
  await spin(server);
}

async function warn({ core, pace }) {
  for (;;) {
    await pace.wait(Math.max(warnSeconds, (leastWarnMs / 1000) * pace.speed));
    core.info('shm_broadcast.py:681', warning);
  }
}

async function spin(server) {
  for (;;) {
    server.order(`spin ${rounds}`, [0]);
    await server.pace.wait((beatMs / 1000) * server.pace.speed);
  }
}
