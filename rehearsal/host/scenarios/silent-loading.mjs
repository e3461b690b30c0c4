/** The weights come from a slow disk, and the log says nothing of it until they are there; then it gets ready. */
import { keepSilence } from '../stand-in/silence.mjs';
import { logThroughput } from '../stand-in/throughput.mjs';
import { capture } from '../startup/capture.mjs';
import { compile } from '../startup/compile.mjs';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';
import { beginLoading, finishLoading, loadedMib, logShards, targetGib, targetShards } from '../startup/load.mjs';
import { serve } from '../startup/serve.mjs';

export const budgets = { connecting: 60, loading: 60 };

const silentSeconds = 420;
/** Real time, at any speed: whoever watches must be able to look more than once. */
const leastSeconds = 30;
/** MiB of real memory that each rank touches a beat: half a second. */
const beatMib = 2;

export async function run(server) {
  await configure(server);
  await connect(server);
  const act = (share) => {
    server.useMemory(loadedMib(share));
    server.order(`load ${beatMib}`);
  };
  server.fillRanks();
  await keepSilence(server, { seconds: silentSeconds, least: leastSeconds, act });
  await beginLoading(server, { gib: targetGib });
  const seconds = silentSeconds / targetShards;
  logShards(server, { from: 0, to: targetShards, seconds });
  await finishLoading(server, { seconds });
  await compile(server);
  await capture(server);
  await serve(server);
  await logThroughput(server);
}
