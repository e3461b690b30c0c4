/** The same message in simpler blocks, for a Slack that refuses what it was given (`invalid_blocks`): all of it arrives, only less well dressed. */

import type { KnownBlock, PlanBlock, TaskCardBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { plainSections, section, sections } from './blocks.ts';
import { escapeText } from './escape.ts';
import { fitting } from './fitting.ts';
import { inside } from './sentence.ts';
import { tasksOf, textsOf } from './texts.ts';
import { unmarked } from './unmarked.ts';

const SIGNS: Readonly<Record<TaskCardBlock['status'], string>> = {
  complete: '✅',
  in_progress: '⏳',
  error: '❌',
  pending: '▫️',
};

/** With its plan as lines of a section: for a workspace that takes no plan. */
export function withoutPlan(message: Message): Message {
  const blocks = message.blocks.flatMap((block) => (block.type === 'plan' ? planLines(block) : [block]));
  return { ...message, blocks: fitting(blocks) };
}

/** All that it says as plain text, in which Slack parses nothing; whom it mentions stays mentioned. Its buttons are left out. */
export function plainMessage(message: Message): Message {
  const { blocks } = withoutPlan(message);
  const texts = blocks.flatMap(plainTexts).filter((text) => text !== '');
  const said = plainSections(texts.length === 0 ? [unmarked(message.text)] : texts);
  return { ...message, blocks: fitting([...mentionsOf(message), ...said]) };
}

/** One line a task, what is known of it in brackets. */
export function planLines(plan: PlanBlock): KnownBlock[] {
  const lines = tasksOf(plan).map((task) => {
    const more = task.details === undefined ? '' : inside(textsOf(task.details).join(' '));
    return `${SIGNS[task.status]} ${escapeText(more === '' ? task.title : `${task.title} (${more})`)}`;
  });
  return sections(lines.length === 0 ? [escapeText(plan.title)] : lines);
}

/** What is no mrkdwn holds no marks: what looks like one stays as it is. */
function plainTexts(block: KnownBlock): string[] {
  const texts = textsOf(block, (text, isMarkup) => (isMarkup ? unmarked(text) : text));
  return block.type === 'context' ? [texts.join(', ')] : texts;
}

/** Plain text notifies nobody: who is to be told stands alone. What is no mrkdwn mentions nobody, whatever it looks like. */
function mentionsOf({ blocks }: Message): KnownBlock[] {
  const marked = blocks.flatMap((block) => textsOf(block, (text, isMarkup) => (isMarkup ? text : '')));
  const users = marked.flatMap((text) => text.match(/<@[UW][A-Z0-9]{1,30}>/g) ?? []);
  return users.length === 0 ? [] : [section([...new Set(users)].join(' '))];
}
