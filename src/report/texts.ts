/** The texts of a block, wherever they stand in it. Buttons are left out: their words are ours, and short. */

import type {
  KnownBlock,
  MrkdwnElement,
  PlainTextElement,
  PlanBlock,
  RichTextBlock,
  TaskCardBlock,
} from '@slack/types';

type RichPart = RichTextBlock['elements'][number];
/** `isMarkup`: mrkdwn, where a mark must not lose its end; else plain. */
type Change = (text: string, isMarkup: boolean) => string;

/** In the order in which they are read, each as `said` makes it. */
export function textsOf(block: KnownBlock, said: Change = (text) => text): string[] {
  const texts: string[] = [];
  mapTexts(block, (text, isMarkup) => {
    texts.push(said(text, isMarkup));
    return text;
  });
  return texts;
}

/** The same block with each of its texts changed. */
export function mapTexts(block: KnownBlock, change: Change): KnownBlock {
  switch (block.type) {
    case 'section':
      return {
        ...block,
        ...(block.text === undefined ? {} : { text: mapObject(block.text, change) }),
        ...(block.fields === undefined ? {} : { fields: block.fields.map((field) => mapObject(field, change)) }),
      };
    case 'header':
      return { ...block, text: mapObject(block.text, change) };
    case 'context':
      return {
        ...block,
        elements: block.elements.map((element) => ('text' in element ? mapObject(element, change) : element)),
      };
    case 'rich_text':
      return mapRichText(block, change);
    case 'plan':
      return {
        ...block,
        title: change(block.title, false),
        tasks: tasksOf(block).map((task) => mapTask(task, change)),
      };
    case 'task_card':
      return mapTask(block, change);
    default:
      return block;
  }
}

function mapObject<T extends PlainTextElement | MrkdwnElement>(object: T, change: Change): T {
  return { ...object, text: change(object.text, object.type === 'mrkdwn') };
}

/** The tasks of a plan. Slack's types also allow such without a type: none of ours is. */
export function tasksOf({ tasks = [] }: PlanBlock): TaskCardBlock[] {
  return tasks.filter((task): task is TaskCardBlock => task.type === 'task_card');
}

function mapTask(task: TaskCardBlock, change: Change): TaskCardBlock {
  const { title, details, output } = task;
  return {
    ...task,
    title: change(title, false),
    ...(details === undefined ? {} : { details: mapRichText(details, change) }),
    ...(output === undefined ? {} : { output: mapRichText(output, change) }),
  };
}

function mapRichText(block: RichTextBlock, change: Change): RichTextBlock {
  return { ...block, elements: block.elements.map((part) => mapPart(part, change)) };
}

/** Of lists we make none. */
function mapPart(part: RichPart, change: Change): RichPart {
  switch (part.type) {
    case 'rich_text_preformatted':
      return { ...part, elements: mapInline(part.elements, change) };
    case 'rich_text_section':
      return { ...part, elements: mapInline(part.elements, change) };
    default:
      return part;
  }
}

function mapInline<T extends { readonly type: string; readonly text?: string }>(
  elements: readonly T[],
  change: Change,
): T[] {
  return elements.map((one) =>
    one.type === 'text' && one.text !== undefined ? { ...one, text: change(one.text, false) } : one,
  );
}
