/** An answer in time: what takes longer is announced, and follows. */

import type { Message } from '../chat.ts';
import { within } from '../within.ts';
import type { Edge, Followup } from './call.ts';
import { say } from './say.ts';

/** Slack's own time is nearly up then, ms. */
const SPARE_MS = 150;

interface Ways {
  readonly edge: Edge;
  readonly followup: Followup;
  /** For the log. */
  readonly about: Readonly<Record<string, string>>;
}

/** The answer of `working`, which never rejects, or that it follows; null = there is nothing to say. */
export function promptly<Answer extends Message | null>(
  ways: Ways,
  working: Promise<Answer>,
): Promise<Answer | Message> {
  const meanwhile = say('Understood, but something is slow: the answer follows.');
  return orLater(ways, working, { meanwhile, messageOf: (late) => late });
}

/** The answer of `working`, which never rejects; else `meanwhile`, and what `messageOf` makes of the answer follows. */
export async function orLater<Answer, Meanwhile>(
  { edge, followup, about }: Ways,
  working: Promise<Answer>,
  late: { readonly meanwhile: Meanwhile; messageOf(answer: Answer): Message | null },
): Promise<Answer | Meanwhile> {
  const answer = await within(edge.limits.answer + SPARE_MS, working);
  if (answer !== 'late') return answer;
  edge.log.warn(about, 'an answer takes longer than Slack waits');
  const following = working.then(async (followed) => {
    const message = late.messageOf(followed);
    if (message !== null) await followup.respond(message);
  });
  followup.later(following, 'owed');
  return late.meanwhile;
}
