/** A mention of the app, in a thread or a channel: the same words as behind a slash command, which can't be typed in threads. */

import type { Message } from '../chat.ts';
import { addressed, saidTo } from './addressed.ts';
import { answerError, doing } from './answer-error.ts';
import type { Asked, Call, Edge, Followup } from './call.ts';
import { carryOut } from './carry-out.ts';
import type { SlashCommand } from './commands/define.ts';
import { mentionHelp } from './commands/mention-help.ts';
import { identify } from './identify.ts';
import { promptly } from './promptly.ts';
import { Refused } from './refusals.ts';

export interface Mention extends Asked {
  /** As Slack brings it, the mention included; `trigger` is the event's id. */
  readonly text: string;
  /** The root of the thread in which it stands, or null. */
  readonly thread: string | null;
}

/** The private answer to a mention; null = nothing is to be said, since a bot said it. Never rejects, and comes in the same time as a command's. */
export async function answerMention(edge: Edge, mention: Mention, followup: Followup): Promise<Message | null> {
  const { user, team, channel, trigger, thread } = mention;
  const asking = {
    ...edge,
    ...followup,
    dialogs: null,
    from: { user, team, channel, trigger },
    thread: thread === null ? null : { channel, ts: thread },
    deadline: edge.clock.now() + edge.limits.answer,
  };
  return promptly({ edge, followup, about: { user, mention: trigger } }, understood(asking, mention.text));
}

/** Every error becomes an answer here. */
async function understood(asking: Omit<Call, 'who'>, text: string): Promise<Message | null> {
  let meant: { readonly slash: SlashCommand; readonly words: readonly string[] } | null = null;
  try {
    const call: Call = { ...asking, who: await identify(asking, asking.from) };
    meant = await addressed(saidTo(text, call.self), call);
    return meant === null ? mentionHelp(call) : await carryOut(meant.slash, meant.words, call);
  } catch (error) {
    if (error instanceof Refused && error.reason === 'bot') return null;
    return answerError(asking, error, doing(meant?.slash ?? null, meant?.words ?? [], asking.self.name));
  }
}
