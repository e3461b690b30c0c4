/**
 * A start that gets ready in about 90 s and serves until it is stopped.
 * To add a scenario: a file beside this one that exports `run(server)`, made of the steps in startup/ (start.mjs takes
 * them all); its file name is the scenario's name. It may export `othersMib`, the GPU memory that others hold, and `plan`, how
 * long a training's epochs are and which of its ranks fails (bin/rank.mjs has the usual one).
 */

import { logThroughput } from '../stand-in/throughput.mjs';
import { start } from '../startup/start.mjs';

export async function run(server) {
  await start(server);
  await logThroughput(server);
}
