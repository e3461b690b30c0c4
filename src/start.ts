/** ENTRY: bot and worker in one process, for a team of one machine. */

import { startBot } from './bot.ts';
import { runEntry } from './entry.ts';
import { startWorker } from './worker.ts';

await runEntry([(entry) => startWorker(entry), (entry) => startBot(entry)]);
