/** The few blocks that messages are made of; each keeps Slack's limits by itself (3,000 characters a text, 10 elements a context). */

import type { Button, KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { isEnd, type Run } from '../run/run.ts';
import { clean, clip, markup } from './escape.ts';
import { fitting } from './fitting.ts';

/** The buttons' names; their value is the run's id. */
export const STOP_ACTION = 'stop';
export const RESTART_ACTION = 'restart';

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
  return { text: clip(text, TEXT) || '(nothing to say)', blocks: fitting(blocks.filter((block) => block !== null)) };
}

/** mrkdwn of our own; what comes from others must be escaped before. */
export function section(mrkdwn: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: clip(mrkdwn, SECTION), verbatim: true } };
}

/** Of several texts as few sections as hold them whole, one below the other. */
export function sections(texts: readonly string[]): KnownBlock[] {
  const groups: string[] = [];
  for (const text of texts) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + text.length < GROUP) groups[groups.length - 1] = `${last}\n${text}`;
    else groups.push(text);
  }
  return groups.map(section);
}

/** Text of others, in which Slack parses nothing. */
export function plainSection(text: string): KnownBlock {
  return {
    type: 'section',
    text: { type: 'plain_text', text: clip(clean(text).trim(), PLAIN) || '(nothing)', emoji: false },
  };
}

/** Sentences of ours one a line, so that they can't run together; what stands in backticks can be copied. */
export function listed(sentences: readonly string[]): KnownBlock {
  return section(sentences.map((sentence) => `• ${markup(clip(sentence, 500))}`).join('\n'));
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

const LEAVES = 'It leaves the line; nothing of it has been started.';

/** Stop while the run lives, and Restart, but for one that waits or that another run has replaced already. null where neither is left. */
export function runButtons(run: Run): KnownBlock | null {
  const isOver = isEnd(run.phase);
  const canRestart = (isOver || run.waiting === null) && run.restartedAs === undefined;
  const elements = [...(isOver ? [] : [stopButton(run)]), ...(canRestart ? [restartButton(run, isOver)] : [])];
  return elements.length === 0 ? null : { type: 'actions', elements };
}

function stopButton(run: Run): Button {
  const { recipe, host, kind } = run.request;
  const text = run.waiting === null ? `${recipe} on ${host} ends, ${STOP_COSTS[kind]}.` : LEAVES;
  return { ...confirmed(run, { word: 'Stop', text, deny: 'Keep it' }), action_id: STOP_ACTION, style: 'danger' };
}

function restartButton(run: Run, isOver: boolean): Button {
  const { name, recipe, host, kind } = run.request;
  const same = `with the command line, GPUs and log that ${name} had`;
  const text = isOver
    ? `${recipe} on ${host} starts again, ${same}.`
    : `${recipe} on ${host} ends, ${STOP_COSTS[kind]}. Then it starts again, ${same}.`;
  return {
    ...confirmed(run, { word: 'Restart', text, deny: isOver ? 'Leave it' : 'Keep it' }),
    action_id: RESTART_ACTION,
  };
}

function confirmed(
  { request: { id, name } }: Run,
  { word, text, deny }: { word: string; text: string; deny: string },
): Button {
  return {
    type: 'button',
    value: id,
    text: { type: 'plain_text', text: word },
    accessibility_label: clip(`${word} ${name}`, 75),
    confirm: {
      title: { type: 'plain_text', text: clip(`${word} ${name}?`, 100) },
      text: { type: 'plain_text', text: clip(text, 300) },
      confirm: { type: 'plain_text', text: `${word} it` },
      deny: { type: 'plain_text', text: deny },
      style: 'danger',
    },
  };
}
