/** What earlier starts of a recipe on its host teach this run, and what it teaches the next ones. */

import { wait } from '../flow/wait.ts';
import { paceOf } from '../pulse/record.ts';
import { isFound } from '../run/request.ts';
import { isEnd } from '../run/run.ts';
import type { Watch } from './watch.ts';

/** A server is noted once it is ready, a training from its start on and again whenever a phase more is over. What somebody started by hand has no recipe. */
export async function watchPace({ history, inbox, clock, hostTime, timings, signal }: Watch): Promise<void> {
  const { request } = inbox.run();
  if (isFound(inbox.run())) return;
  const pace = await history.read(request.host, request.recipe);
  const others = pace.filter(({ run }) => run !== request.id);
  if (others.length > 0) inbox.put({ kind: 'paced', pace: others, at: hostTime.read().now, seen: clock.now() });
  let noted = '';
  const note = async (): Promise<void> => {
    const record = paceOf(inbox.run(), clock.now());
    const phases = JSON.stringify(record?.phases ?? null);
    if (record === null || phases === noted) return;
    await history.note(request.host, request.recipe, record);
    noted = phases;
  };
  while (!signal.aborted && !isEnd(inbox.run().phase)) {
    await note();
    if (noted !== '' && request.kind === 'serve') return;
    await wait(timings.pulse, signal);
  }
  if (isEnd(inbox.run().phase)) await note();
}
