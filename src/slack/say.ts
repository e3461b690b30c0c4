/** Private answers: short, and safe whatever was typed. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { context, message, section } from '../report/blocks.ts';
import { clip, code, escapeText, markup } from '../report/escape.ts';
import { within } from '../within.ts';
import type { Edge } from './call.ts';

/** An answer in our own mrkdwn. */
export function say(mrkdwn: string, ...more: KnownBlock[]): Message {
  return message(mrkdwn, [section(mrkdwn), ...more]);
}

/** An answer that may hold what somebody typed; `hint` (mrkdwn) helps to type it right. */
export function explain(text: string, hint: string | null): Message {
  const sentence = markup(clip(text, 450));
  return message(hint === null ? sentence : `${sentence} ${hint}`, [
    section(markup(clip(text, 1500))),
    hint === null ? null : context([hint]),
  ]);
}

/** The line to copy. */
export function toCopy(words: readonly string[]): string {
  return `To copy: ${code(words.map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(' '))}`;
}

/** Where a thread is, as mrkdwn: Slack shows no name of a direct message's channel. */
export function inChannel(channel: string): string {
  return channel.startsWith('D') ? 'in a direct message' : `in <#${channel}>`;
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
