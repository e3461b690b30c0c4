/** An answer in time: what takes longer is announced, and follows. */

import type { Message } from '../chat.ts';
import { within } from '../within.ts';
import type { Edge, Followup } from './call.ts';
import { say } from './say.ts';

/** Slack's own time is nearly up then, ms. */
const SPARE_MS = 150;

/** The answer of `working`, which never rejects, or that it follows; null = there is nothing to say. `about`: for the log. */
export async function promptly<Answer extends Message | null>(
  { edge, followup, about }: { edge: Edge; followup: Followup; about: Readonly<Record<string, string>> },
  working: Promise<Answer>,
): Promise<Answer | Message> {
  const answer = await within(edge.limits.answer + SPARE_MS, working);
  if (answer !== 'late') return answer;
  edge.log.warn(about, 'an answer takes longer than Slack waits');
  followup.later(
    working.then(async (late) => {
      if (late !== null) await followup.respond(late);
    }),
    'owed',
  );
  return say('Understood, but something is slow: the answer follows.');
}
