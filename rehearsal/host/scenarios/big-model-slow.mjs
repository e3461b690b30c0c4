/** A slow disk and an empty compile cache: a shard every 20 s, then a compile of minutes that says nothing. It gets ready. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { logThroughput } from '../stand-in/throughput.mjs';
import { capture } from '../startup/capture.mjs';
import { compile } from '../startup/compile.mjs';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';
import { load } from '../startup/load.mjs';
import { serve } from '../startup/serve.mjs';

export const budgets = { loading: 60, compiling: 180 };

/** Each rank touches so many MiB of real memory a shard. */
const shard = { seconds: 20, mib: 8 };

export function prepare({ home }) {
  rmSync(join(home, '.cache'), { recursive: true, force: true });
}

export async function run(server) {
  await configure(server);
  await connect(server);
  server.fillRanks();
  await load(server, { seconds: shard.seconds, onShard: () => server.order(`load ${shard.mib}`) });
  await compile(server, { isCold: true });
  await capture(server);
  await serve(server);
  await logThroughput(server);
}
