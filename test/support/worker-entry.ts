/** A worker process whose waits are short, so that a killed one is taken over within a second or two. It starts on SIGUSR2: a stand-by costs no start-up time. */

import { runEntry } from '../../src/entry.ts';
import { startWorker } from '../../src/worker.ts';
import { QUICK } from './quick.ts';

process.once('SIGUSR2', () => void runEntry([(entry) => startWorker(entry, QUICK)]));
// Nobody is left who could end it.
process.once('disconnect', () => process.exit());
setInterval(() => {}, 60_000);
process.send?.('loaded');
