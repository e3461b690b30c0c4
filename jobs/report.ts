/** Brings Slack in step with the journal: the card, then each event's reply, once. One reporter a run: the newest taker. */

import type { Outcome, Tools } from '../src/processor.ts';
import { takeTurn } from '../src/tell/turn.ts';

export async function report(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const fence = await tools.outbox.take(id);
  const work = { id, tools, fence, signal };
  let stale = 0;
  while (!signal.aborted) {
    const draft = await tools.outbox.read(id);
    if (draft === null || draft.entry.home === null) return 'done';
    if (draft.intent?.event === 'card')
      stale = Math.max(stale, tools.clock.now() + tools.timings.intent - draft.intentAge);
    const turn = await takeTurn(work, draft, stale);
    if (turn !== 'on') return 'done';
  }
  return 'again';
}
