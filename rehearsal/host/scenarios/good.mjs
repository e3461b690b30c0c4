/**
 * A start that gets ready in about 90 s and serves until it is stopped.
 * To add a scenario: a file beside this one that exports `run(server)`, made of the steps in startup/ (start.mjs takes
 * them all); its file name is the scenario's name. It may export as well:
 * - `othersMib`, the GPU memory that others hold, and `gpus`, how many there are;
 * - `plan`, how long a training's epochs are and which of its ranks fails or hangs (bin/rank.mjs has the usual one);
 * - `serving`, how the server serves once it is ready (stand-in/serving.mjs has the usual one): pace, drafts, tasks;
 * - `prepare(site)`, which changes the good disk (disk/) as the scenario is set;
 * - for the demo's recipes (demo/config.ts) `model`, another one by its hub id, `before` and `flags`, more words of the command,
 *   `devices`, its GPUs, `budgets`, seconds of silence by phase, `floor`, what a verification demands, and `hasRas`.
 */

import { logThroughput } from '../stand-in/throughput.mjs';
import { start } from '../startup/start.mjs';

export async function run(server) {
  await start(server);
  await logThroughput(server);
}
