/** A stop's last wait: what ranks write while they save comes last of all, and an ended run takes nothing more. */

import { isHostError } from '../errors.ts';
import type { Ending } from './stop-eye.ts';
import { wait } from './wait.ts';

/** A watch notes at each of its writes how far it has read; a last line without an end, or a run that nobody watches, is waited for no longer. */
const MOST_WRITES = 3;

/** Waits until the run's watch has noted all that stands in its log now. */
export async function untilRead(ending: Ending): Promise<void> {
  const { run, tools, signal } = ending;
  const { journal, clock, timings } = tools;
  const size = await sizeOfLog(ending);
  const latest = clock.now() + MOST_WRITES * timings.flush;
  while (!signal.aborted && clock.now() < latest) {
    const entry = await journal.load(run.request.id);
    if (entry === null || (entry.checkpoint?.position.offset ?? 0) >= size) return;
    await wait(timings.flush / 10, signal);
  }
}

/** 0 where it can't be asked: the proof of the stop waits for no log. */
async function sizeOfLog({ host, started, signal }: Ending): Promise<number> {
  try {
    const seen = await host.peek(started.log, { from: 0, most: 1, countsLines: false }, signal);
    return seen?.size ?? 0;
  } catch (error) {
    if (isHostError(error)) return 0;
    throw error;
  }
}
