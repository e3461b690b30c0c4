/** A message as plain text, for terminals and tests: what a reader would see, without Slack. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';

/** The blocks as text, one line a block and more for preformatted text; the sentence alone where there are no blocks. */
export function plainMessage(message: Message): string {
  const lines = message.blocks.map(plainBlock).filter((line) => line !== '');
  return lines.length === 0 ? unmark(message.text) : lines.join('\n');
}

function plainBlock(block: KnownBlock): string {
  switch (block.type) {
    case 'section':
      return block.text === undefined ? '' : plainText(block.text);
    case 'context':
      return block.elements.map((element) => ('text' in element ? plainText(element) : '')).join(' · ');
    case 'actions':
      return block.elements.map((element) => (element.type === 'button' ? `[${element.text.text}]` : '')).join(' ');
    case 'rich_text':
      return block.elements.map((element) => richText(element)).join('\n');
    default:
      return '';
  }
}

function plainText(text: { readonly type: string; readonly text: string }): string {
  return text.type === 'mrkdwn' ? unmark(text.text) : text.text;
}

function richText(element: { readonly type: string; readonly elements: readonly object[] }): string {
  const text = element.elements
    .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : ''))
    .join('');
  if (element.type !== 'rich_text_preformatted') return text;
  return text
    .split('\n')
    .map((line) => `  | ${line}`)
    .join('\n');
}

/** mrkdwn without its marks: dates by their fallback, mentions as `@U1`, entities as characters. */
function unmark(mrkdwn: string): string {
  return mrkdwn
    .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, '@$1')
    .replace(/<#([A-Z0-9]+)(?:\|[^>]*)?>/g, '#$1')
    .replace(/<(https?:[^|>]*)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<(https?:[^>]*)>/g, '$1')
    .replace(/(?<![\w\u2060])\*(?!\u2060)([^*\n]+)\*/g, '$1')
    .replace(/`([^`\u2060][^`]*)`/g, '$1')
    .replaceAll('\u2060', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
