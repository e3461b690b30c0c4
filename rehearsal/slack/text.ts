/** A message as plain text, the way a person reads it: for terminals and for snapshots in tests. */
import type { Block, Inline } from './block-kit.ts';
import type { Content } from './records.ts';

/** The blocks as lines, or the text where there are none. Formatting marks go, buttons become [Label]. */
export function toPlainText(content: Content): string {
  return toNamedText(content, () => null);
}

/** The same with people by their names, where the lookup knows them. */
export function toNamedText(content: Content, nameOf: NameOf): string {
  if (content.blocks.length === 0) return unmark(content.text, nameOf);
  return content.blocks.flatMap((block) => renderBlock(block, nameOf) ?? []).join('\n');
}

type NameOf = (userId: string) => string | null;

type TextObject = { type: 'plain_text' | 'mrkdwn'; text: string };

function renderBlock(block: Block, nameOf: NameOf): string | null {
  switch (block.type) {
    case 'section':
      return [block.text, ...(block.fields ?? [])].flatMap((text) => (text ? renderText(text, nameOf) : [])).join('\n');
    case 'header':
      return renderText(block.text, nameOf);
    case 'context':
      return block.elements.map((it) => (it.type === 'image' ? `[${it.alt_text}]` : renderText(it, nameOf))).join('  ');
    case 'divider':
      return '---';
    case 'image':
      return `[${block.alt_text}]`;
    case 'actions':
      return block.elements.map((it) => (it.type === 'button' ? `[${it.text.text}]` : `[${it.type}]`)).join(' ');
    case 'rich_text':
      return block.elements.map((part) => renderPart(part, nameOf)).join('\n');
    case 'markdown':
      return unmark(block.text, nameOf);
    default:
      return `[${block.type}]`;
  }
}

type RichPart = Extract<Block, { type: 'rich_text' }>['elements'][number];

function renderPart(part: RichPart, nameOf: NameOf): string {
  switch (part.type) {
    case 'rich_text_list':
      return part.elements.map((item) => `- ${renderInlines(item.elements, nameOf)}`).join('\n');
    case 'rich_text_quote':
    case 'rich_text_preformatted':
      return renderInlines(part.elements, nameOf).replaceAll(/^/gm, part.type === 'rich_text_quote' ? '> ' : '    ');
    case 'rich_text_section':
      return renderInlines(part.elements, nameOf);
    default:
      return part satisfies never;
  }
}

function renderInlines(elements: readonly Inline[], nameOf: NameOf): string {
  return elements.map((element) => renderInline(element, nameOf)).join('');
}

function renderInline(element: Inline, nameOf: NameOf): string {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return element.text ?? element.url;
    case 'user':
      return `@${nameOf(element.user_id) ?? element.user_id}`;
    case 'channel':
      return `#${element.channel_id}`;
    case 'usergroup':
      return `@${element.usergroup_id}`;
    case 'emoji':
      return `:${element.name}:`;
    case 'broadcast':
      return `@${element.range}`;
    case 'date':
      return element.fallback ?? new Date(element.timestamp * 1000).toISOString();
    default:
      return element satisfies never;
  }
}

function renderText({ type, text }: TextObject, nameOf: NameOf): string {
  return type === 'mrkdwn' ? unmark(text, nameOf) : text;
}

/** mrkdwn without its marks: tokens by their label, links with their address, entities decoded. */
function unmark(text: string, nameOf: NameOf): string {
  return text
    .replaceAll(/<@(\w+)>/g, (_, id: string) => `@${nameOf(id) ?? id}`)
    .replaceAll(/<!date\^\d+\^[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll(/<!(here|channel|everyone)(\|[^>]*)?>/g, '@$1')
    .replaceAll(/<([^|<>@#!][^|<>]*)\|([^<>]+)>/g, '$2 ($1)')
    .replaceAll(/<(?:[^|<>]+)\|([^<>]+)>/g, '$1')
    .replaceAll(/<([^<>|]+)>/g, '$1')
    .replaceAll(/```\n?/g, '')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])/g, '$1')
    .replaceAll(/`([^`\n]+)`/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
