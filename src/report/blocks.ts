/** The few blocks that messages are made of; each keeps Slack's limits by itself (3,000 characters a text, 10 elements a context). */

import type { KnownBlock, PlanBlock, TaskCardBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { clean, clip, clipMarkup, markup } from './escape.ts';
import { fitting } from './fitting.ts';

/** The buttons' names; their value is the run's id. */
export const STOP_ACTION = 'stop';
export const RESTART_ACTION = 'restart';
export const LOG_ACTION = 'log';
export const EXPLAIN_ACTION = 'explain';

/** What Slack takes for a text that is empty. */
const NOTHING = '(nothing)';
const SECTION = 2900;
/** Of texts that share a section, both together. */
const GROUP = 2800;
const CONTEXT = 1500;
/** All texts of a message together may hold about 13,000 characters (slackapi/bolt-js#2509). */
const PLAIN = 1500;
const PREFORMATTED = 2500;
/** Phones show `text` only; Slack refuses an edit above 4,000 characters. */
const TEXT = 600;

/** A message with its sentence cut to what a phone shows, and its blocks to what Slack takes. */
export function message(text: string, blocks: readonly (KnownBlock | null)[]): Message {
  return { text: sentenceOf(text), blocks: fitting(blocks.filter((block) => block !== null)) };
}

/** A message's sentence, as mrkdwn: cut to what a phone shows. */
export function sentenceOf(mrkdwn: string): string {
  return clipMarkup(mrkdwn, TEXT) || '(nothing to say)';
}

/** mrkdwn of our own; what comes from others must be escaped before. */
export function section(mrkdwn: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: clipMarkup(mrkdwn, SECTION) || NOTHING, verbatim: true } };
}

/** Of several texts as few sections as hold them whole, one below the other. */
export function sections(texts: readonly string[]): KnownBlock[] {
  return grouped(texts, GROUP).map(section);
}

/** The same of texts of others, in which Slack parses nothing. */
export function plainSections(texts: readonly string[]): KnownBlock[] {
  return grouped(texts, GROUP).map((text) => plainText(text, SECTION));
}

/** Of several texts as few as hold them whole, one below the other, each shorter than `most` unless one alone is longer. */
export function grouped(texts: readonly string[], most: number): string[] {
  const groups: string[] = [];
  for (const text of texts) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + text.length < most) groups[groups.length - 1] = `${last}\n${text}`;
    else groups.push(text);
  }
  return groups;
}

/** Text of others, in which Slack parses nothing. */
export function plainSection(text: string): KnownBlock {
  return plainText(text, PLAIN);
}

function plainText(text: string, most: number): KnownBlock {
  return {
    type: 'section',
    text: { type: 'plain_text', text: clip(clean(text).trim(), most) || NOTHING, emoji: false },
  };
}

/** Sentences of ours one a line, so that they can't run together; what stands in backticks can be copied. */
export function listed(sentences: readonly string[]): KnownBlock {
  return section(sentences.map((sentence) => `• ${markup(clip(sentence, 500))}`).join('\n'));
}

export function context(mrkdwns: readonly (string | null)[]): KnownBlock {
  const said = mrkdwns.filter((text) => text !== null).filter((text) => text !== '');
  const elements = (said.length === 0 ? [NOTHING] : said)
    .slice(0, 10)
    .map((text) => ({ type: 'mrkdwn' as const, text: clipMarkup(text, CONTEXT), verbatim: true }));
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

/** Slack gives no limits for these: such as are read at a glance. */
const PLAN_TITLE = 150;
const TASK_TITLE = 150;
const TASK_DETAILS = 300;
const MOST_TASKS = 50;

/** Messages alone may hold one. `id` stays the same through edits, or it is folded again under who has it open. */
export function plan(id: string, title: string, tasks: readonly TaskCardBlock[]): PlanBlock {
  return {
    type: 'plan',
    block_id: clip(id, 255),
    title: plainLine(title, PLAN_TITLE),
    tasks: tasks.slice(-MOST_TASKS),
  };
}

/** Plain texts, in which Slack parses nothing; `id` is its own in its plan. */
export function task(of: {
  id: string;
  title: string;
  status: TaskCardBlock['status'];
  details: string | null;
}): TaskCardBlock {
  const { id, title, status, details } = of;
  const card = { type: 'task_card', task_id: id, title: plainLine(title, TASK_TITLE), status } as const;
  if (details === null) return card;
  const text = { type: 'text', text: plainLine(details, TASK_DETAILS) } as const;
  return { ...card, details: { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [text] }] } };
}

function plainLine(text: string, most: number): string {
  return clip(clean(text).replace(/\s+/g, ' ').trim(), most) || NOTHING;
}
