/** The model is named by its hub id and comes without a token: some of it arrives, then nothing more does, and the log never says so. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';
import { download, logHubFiles } from '../startup/download.mjs';
import { beginLoading } from '../startup/load.mjs';

/** What the recipe of the demo names instead of its folder. */
export const model = 'Qwen/Qwen3.6-27B';
export const budgets = { loading: 60, downloading: 60 };

export function prepare({ home }) {
  rmSync(join(home, '.cache'), { recursive: true, force: true });
}

export async function run(server) {
  await configure(server, { onFirst: logHubFiles });
  await connect(server);
  await beginLoading(server, { gib: null });
  await download(server);
}
