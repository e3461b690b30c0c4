/** Brings Slack in step with the journal: the card, then each event's reply, once. One reporter a run: the newest taker. */

import { wait } from '../src/flow/wait.ts';
import type { Draft } from '../src/journal.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { Patience } from '../src/tell/patience.ts';
import type { Report } from '../src/tell/report.ts';
import { CARD } from '../src/tell/subject.ts';
import { takeTurn } from '../src/tell/turn.ts';

/** While a report waits, it looks this often whether something happened (ms). */
const LOOK_MS = 500;

/** `pause`: tests pass their own. */
export async function report(
  id: string,
  tools: Tools,
  signal: AbortSignal,
  pause: Report['pause'] = (ms) => wait(ms, signal),
): Promise<Outcome> {
  const fence = await tools.outbox.take(id);
  const { timings } = tools;
  const waits = { patience: new Patience(timings), rerooting: new Patience(timings) };
  const work: Report = { id, tools, fence, signal, pause, ...waits, unseen: new Map() };
  let stale = 0;
  while (!signal.aborted) {
    const draft = await tools.outbox.read(id);
    if (draft === null || draft.entry.home === null) return 'done';
    if (draft.intent?.event === CARD)
      stale = Math.max(stale, tools.clock.now() + tools.timings.intent - draft.intentAge);
    const turn = await takeTurn(work, draft, stale);
    if (turn === 'later' || turn === 'over') return 'done';
    if (turn !== 'on') await untilNews(work, draft, turn.again);
  }
  return 'again';
}

/** Until `ms` are over, or something happened: an end goes before what waits. */
async function untilNews({ id, tools, signal, pause }: Report, { entry }: Draft, ms: number): Promise<void> {
  const end = tools.clock.now() + ms;
  // A clock that is set back makes it no longer.
  for (let left = ms; left > 0 && !signal.aborted; left = Math.min(left - LOOK_MS, end - tools.clock.now())) {
    await pause(Math.min(left, LOOK_MS));
    if (left > LOOK_MS && (await tools.outbox.last(id)) !== entry.seq) return;
  }
}
