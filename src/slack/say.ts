/** Private answers: short, and safe whatever was typed. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { context, message, plainSection, section } from '../report/blocks.ts';
import { clip, code, escapeText } from '../report/escape.ts';
import { within } from '../within.ts';
import type { Edge } from './call.ts';

/** An answer in our own mrkdwn. */
export function say(mrkdwn: string, ...more: KnownBlock[]): Message {
  return message(mrkdwn, [section(mrkdwn), ...more]);
}

/** An answer that may hold what somebody typed, with the usage line of the command that was meant. */
export function explain(text: string, usage: string | null): Message {
  const sentence = escapeText(clip(text, 450));
  return message(usage === null ? sentence : `${sentence} Usage: ${code(usage)}`, [
    plainSection(text),
    usage === null ? null : context([`Usage: ${code(usage)}`]),
  ]);
}

/** A person's name as plain text, without a ping; the id where Slack doesn't answer soon. */
export async function nameOf(edge: Edge, user: string): Promise<string> {
  const known = edge.chat.person(user).then(
    (person) => person.name,
    () => user,
  );
  const name = await within(edge.limits.person / 2, known);
  return escapeText(clip(name === 'late' ? user : name, 80));
}
