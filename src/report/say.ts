/** The shapes of a reply. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import type { Run } from '../run/run.ts';
import { message, plainSection, section } from './blocks.ts';
import { clip, escapeText, markup, mention } from './escape.ts';

/** A reply that notifies who asked; what somebody started by hand was asked for by nobody here. `more` goes into the sentence that phones show. */
export function told(run: Run, head: string, blocks: readonly KnownBlock[], more: string): Message {
  return headed(run.request.by === '' ? head : `${mention(run.request.by)} ${head}`, blocks, more);
}

/** The same without notifying anybody. `head`: mrkdwn. */
export function headed(head: string, blocks: readonly KnownBlock[], more: string): Message {
  return message(`${head} ${markup(clip(more, 300))}`.trim(), [section(head), ...blocks]);
}

export function say(mrkdwn: string): Message {
  return message(mrkdwn, [section(mrkdwn)]);
}

/** A sentence of ours, then words that may hold others' text. */
export function withDetail(head: string | null, detail: string): Message {
  const text = [head, clip(detail, 300)].filter((words) => words !== null).join(' ');
  return message(escapeText(text), [head === null ? null : section(head), plainSection(detail)]);
}

/** A training's great moments are shown to the whole channel as well. */
export function inChannel(run: Run, reply: Message): Message {
  return run.request.kind === 'train' ? { ...reply, broadcast: true } : reply;
}

export function nameOf(run: Run): string {
  return escapeText(`${run.request.name} (${run.request.recipe})`);
}
