/** The few blocks that messages are made of; each keeps Slack's limits by itself (3,000 characters a text, 10 elements a context). */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import type { Run } from '../run/run.ts';
import { clean, clip, escapeText } from './escape.ts';

/** The button's name; its value is the run's id. */
export const STOP_ACTION = 'stop';

const SECTION = 2900;
const CONTEXT = 1500;
/** All texts of a message together may hold about 13,000 characters (slackapi/bolt-js#2509). */
const PLAIN = 1500;
const PREFORMATTED = 2500;
/** Phones show `text` only; Slack refuses an edit above 4,000 characters. */
const TEXT = 600;

/** A message with its sentence cut to what a phone shows. */
export function message(text: string, blocks: readonly (KnownBlock | null)[]): Message {
  return { text: clip(text, TEXT) || '(nothing to say)', blocks: blocks.filter((block) => block !== null) };
}

/** mrkdwn of our own; what comes from others must be escaped before. */
export function section(mrkdwn: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: clip(mrkdwn, SECTION), verbatim: true } };
}

/** Text of others, in which Slack parses nothing. */
export function plainSection(text: string): KnownBlock {
  return {
    type: 'section',
    text: { type: 'plain_text', text: clip(clean(text).trim(), PLAIN) || '(nothing)', emoji: false },
  };
}

/** Sentences of ours one a line, so that they can't run together. */
export function listed(sentences: readonly string[]): KnownBlock {
  return section(sentences.map((sentence) => `• ${escapeText(clip(sentence, 500))}`).join('\n'));
}

export function context(mrkdwns: readonly (string | null)[]): KnownBlock {
  const elements = mrkdwns
    .filter((text) => text !== null)
    .slice(0, 10)
    .map((text) => ({ type: 'mrkdwn' as const, text: clip(text, CONTEXT), verbatim: true }));
  return { type: 'context', elements };
}

/** Log text: the one carrier that neither markup nor ``` can leave. */
export function preformatted(text: string): KnownBlock {
  const shown = clip(clean(text), PREFORMATTED).trimEnd() || '(empty)';
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: shown }] }],
  };
}

const STOP_COSTS = {
  serve: 'and with it every request it serves',
  train: 'and what it learned since its last checkpoint may be lost',
} as const;

export function stopButton(run: Run): KnownBlock {
  const { id, name, recipe, host, kind } = run.request;
  return {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: STOP_ACTION,
        value: id,
        style: 'danger',
        text: { type: 'plain_text', text: 'Stop' },
        accessibility_label: clip(`Stop ${name}`, 75),
        confirm: {
          title: { type: 'plain_text', text: clip(`Stop ${name}?`, 100) },
          text: {
            type: 'plain_text',
            text: clip(`${recipe} on ${host} ends, ${STOP_COSTS[kind]}.`, 300),
          },
          confirm: { type: 'plain_text', text: 'Stop it' },
          deny: { type: 'plain_text', text: 'Keep it' },
          style: 'danger',
        },
      },
    ],
  };
}
