/** A thread that begins anew: its root was deleted, or its channel can't be written to any more. */

import type { ChatError } from '../chat.ts';
import { observedNow } from '../flow/now.ts';
import { observe } from '../flow/write.ts';
import type { Draft } from '../journal.ts';
import { going, type Report, type Turn } from './report.ts';

/** The root was deleted: the thread begins anew with the next message, later each time. */
export async function forgetRoot({ id, tools, fence, rerooting }: Report): Promise<Turn> {
  rerooting.failed(tools.clock.now());
  return going(await tools.outbox.forgetRoot(id, fence, null));
}

/** In a direct message to who asked; 'later' where there is nobody, or nowhere else, to tell. */
export async function moveHome({ id, tools, fence }: Report, draft: Draft, error: ChatError): Promise<Turn> {
  const { by } = draft.entry.run.request;
  // Nobody asked for what was found: it waits until the bot is let into the patrol's channel.
  if (by === '' || draft.entry.home === by) return 'later';
  const text = `This run is told here, since its channel can't be written to (${error.message}).`;
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'notice', text })]);
  return going(await tools.outbox.forgetRoot(id, fence, by));
}
