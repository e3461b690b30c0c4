/**
 * A start that gets ready in about 90 s and serves until it is stopped.
 * To add a scenario: a file beside this one that exports `run(server)`, made of the steps in startup/; its file name is
 * the scenario's name. It may export `othersMib`, the GPU memory that others hold.
 */

import { logThroughput } from '../stand-in/throughput.mjs';
import { capture } from '../startup/capture.mjs';
import { compile } from '../startup/compile.mjs';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';
import { load } from '../startup/load.mjs';
import { serve } from '../startup/serve.mjs';

export async function run(server) {
  await configure(server);
  await connect(server);
  await load(server);
  await compile(server);
  await capture(server);
  await serve(server);
  await logThroughput(server);
}
