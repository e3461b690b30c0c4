/** mrkdwn and rich text as a person reads them: without marks, with names and addresses. */
import type { Inline, RichText } from './block-kit/rich-text.ts';

/** A person's name by their id, null for one that isn't known. */
export type NameOf = (userId: string) => string | null;

export type TextObject = { readonly type: 'plain_text' | 'mrkdwn'; readonly text: string };

export function renderText({ type, text }: TextObject, nameOf: NameOf): string {
  return type === 'mrkdwn' ? unmark(text, nameOf) : text;
}

export function renderRichText({ elements }: Pick<RichText, 'elements'>, nameOf: NameOf): string {
  return elements.map((part) => renderPart(part, nameOf)).join('\n');
}

function renderPart(part: RichText['elements'][number], nameOf: NameOf): string {
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

/** mrkdwn without its marks: tokens by their label, links with their address, entities decoded. */
export function unmark(text: string, nameOf: NameOf): string {
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
