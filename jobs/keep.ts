/** No promise hangs on one job in a queue: the keeper gives each live run the job it should have, each dirty run a report. */

import { adoptAll } from '../src/flow/adopt.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { isEnd } from '../src/run/run.ts';

export async function keep(_run: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const { journal, queue, log } = tools;
  for (const id of await journal.live()) {
    if (signal.aborted) return 'done';
    const entry = await journal.load(id);
    if (entry === null || isEnd(entry.run.phase)) continue;
    if (entry.run.stopBy !== null) await queue.add('stop', id);
    await queue.add(entry.run.started === null ? 'launch' : 'watch', id);
  }
  for (const id of await journal.dirty()) {
    if (signal.aborted) return 'done';
    await queue.add('report', id);
  }
  // Last, since a host that doesn't answer takes its time.
  const adopted = await adoptAll(tools, signal);
  if (adopted.length > 0) log.warn({ adopted }, 'Redis had lost these runs; they are watched again');
  for (const id of adopted) await queue.add('watch', id);
  return 'done';
}
