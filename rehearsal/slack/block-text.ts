/** Blocks as lines of plain text: formatting marks go, buttons become [Label], steps of a plan get a sign each. */
import type { Action, Input } from './block-kit/elements.ts';
import type { TaskCard } from './block-kit/plan.ts';
import type { Cell } from './block-kit/tables.ts';
import type { ViewBlock } from './block-kit/view.ts';
import type { Block } from './block-kit.ts';
import { type NameOf, renderRichText, renderText, unmark } from './inline-text.ts';

type Card = Extract<Block, { type: 'card' }>;
type Container = Extract<Block, { type: 'container' }>;

export function renderBlock(block: Block | ViewBlock, nameOf: NameOf): string {
  switch (block.type) {
    case 'section':
      return [block.text, ...(block.fields ?? [])].flatMap((text) => (text ? renderText(text, nameOf) : [])).join('\n');
    case 'header':
    case 'alert':
      return renderText(block.text, nameOf);
    case 'context':
      return block.elements.map((it) => (it.type === 'image' ? `[${it.alt_text}]` : renderText(it, nameOf))).join('  ');
    case 'divider':
      return '---';
    case 'image':
      return `[${block.alt_text}]`;
    case 'actions':
      return block.elements.map(renderElement).join(' ');
    case 'context_actions':
      return block.elements.map((it) => (it.type === 'icon_button' ? `[${it.text.text}]` : '[feedback]')).join(' ');
    case 'rich_text':
      return renderRichText(block, nameOf);
    case 'markdown':
      return unmark(block.text, nameOf);
    case 'plan':
      return [block.title, ...(block.tasks ?? []).map((task) => renderTask(task, nameOf))].join('\n');
    case 'task_card':
      return renderTask(block, nameOf);
    case 'table':
      return renderRows(block.rows, nameOf);
    case 'data_table':
      return [block.caption, renderRows(block.rows, nameOf)].join('\n');
    case 'container':
      return renderContainer(block, nameOf);
    case 'card':
      return renderCard(block, nameOf);
    case 'carousel':
      return block.elements.map((card) => renderCard(card, nameOf)).join('\n');
    case 'input':
      return `${block.label.text}: ${renderElement(block.element)}`;
    case 'data_visualization':
      return `[${block.type}]`;
    default:
      return block satisfies never;
  }
}

const SIGNS: Readonly<Record<TaskCard['status'], string>> = {
  pending: '○',
  in_progress: '◐',
  complete: '✓',
  error: '✗',
};

/** What is one line long stands behind the title, the rest below it. */
function renderTask({ status, title, details, output }: TaskCard, nameOf: NameOf): string {
  const more = [details, output].flatMap((text) => (text === undefined ? [] : renderRichText(text, nameOf)));
  const text = more.join('\n');
  const line = `${SIGNS[status]} ${title}`;
  if (text === '') return line;
  return text.includes('\n') ? `${line}\n${text.replaceAll(/^/gm, '  ')}` : `${line}: ${text}`;
}

function renderRows(rows: readonly (readonly Cell[])[], nameOf: NameOf): string {
  const words = (cell: Cell): string => (cell.type === 'rich_text' ? renderRichText(cell, nameOf) : cell.text);
  return rows.map((row) => row.map(words).join(' | ')).join('\n');
}

function renderContainer(
  { rich_text_title: rich, title, subtitle, child_blocks: children }: Container,
  nameOf: NameOf,
) {
  const heading = rich === undefined ? [title?.text ?? ''] : [renderRichText(rich, nameOf)];
  const below = subtitle === undefined ? [] : [renderText(subtitle, nameOf)];
  return [...heading, ...below, ...children.map((block) => renderBlock(block, nameOf))].join('\n');
}

function renderCard({ title, subtitle, body, actions = [] }: Card, nameOf: NameOf): string {
  const texts = [title, subtitle, body].flatMap((text) => (text === undefined ? [] : renderText(text, nameOf)));
  const buttons = actions.map(renderElement).join(' ');
  return [...texts, ...(buttons === '' ? [] : [buttons])].join('\n');
}

function renderElement(element: Action | Input): string {
  return element.type === 'button' ? `[${element.text.text}]` : `[${element.type}]`;
}
