/** No promise hangs on one job in a queue: the keeper gives each live run the job it should have, each dirty run a report. */

import { adoptAll } from '../src/flow/adopt.ts';
import { cleanAll } from '../src/flow/clean.ts';
import { tidyArchive } from '../src/flow/tidy-archive.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { isEnd } from '../src/run/run.ts';

export async function keep(_run: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const { journal, queue, line, log } = tools;
  const lines = new Set<string>();
  for (const id of await journal.live()) {
    if (signal.aborted) return 'done';
    const entry = await journal.load(id);
    if (entry === null || isEnd(entry.run.phase)) continue;
    if (entry.run.stopBy !== null) await queue.add('stop', id);
    if (entry.run.waiting !== null) lines.add(entry.run.request.host);
    else await queue.add(entry.run.started === null ? 'launch' : 'watch', id);
  }
  for (const host of lines) await line.wake(host);
  for (const id of await journal.dirty()) {
    if (signal.aborted) return 'done';
    await queue.add('report', id);
  }
  await tidyArchive(tools, signal);
  // Last, since a host that doesn't answer takes its time.
  const adopted = await adoptAll(tools, signal);
  if (adopted.length > 0) log.warn({ adopted }, 'Redis had lost these runs; they are watched again');
  for (const id of adopted) await queue.add('watch', id);
  await cleanAll(tools, signal);
  return 'done';
}
