/** rich_text as DOM nodes: nothing in it is parsed but what its elements say. */
import { renderDate } from './dates.js';
import { element } from './dom.js';
import { emoji as emojiNamed } from './emoji.js';
import { link } from './links.js';
import { groupMention, mention, mentionOf } from './mrkdwn.js';

export function renderRichText(block, names) {
  return element('div', { class: 'rich' }, ...block.elements.map((part) => renderPart(part, names)));
}

function renderPart(part, names) {
  const inlines = (elements) => elements.map((it) => renderInline(it, names));
  switch (part.type) {
    case 'rich_text_section':
      return element('p', {}, ...inlines(part.elements));
    case 'rich_text_preformatted':
      return element('pre', {}, ...inlines(part.elements));
    case 'rich_text_quote':
      return element('blockquote', {}, ...inlines(part.elements));
    case 'rich_text_list': {
      const items = part.elements.map((item) => element('li', {}, ...inlines(item.elements)));
      const isOrdered = part.style === 'ordered';
      const start = isOrdered && part.offset ? part.offset + 1 : null;
      return element(isOrdered ? 'ol' : 'ul', { start, class: `indent-${Math.min(part.indent ?? 0, 5)}` }, ...items);
    }
    default:
      return element('p', { class: 'unsupported' }, `Unsupported text: ${part.type}`);
  }
}

const STYLES = { bold: 'b', italic: 'i', strike: 's', code: 'code', underline: 'u' };

function renderInline(it, names) {
  const tags = Object.keys(STYLES).filter((style) => it.style?.[style]);
  return tags.reduce((node, style) => element(STYLES[style], {}, node), renderBare(it, names));
}

function renderBare(it, names) {
  switch (it.type) {
    case 'text':
      return document.createTextNode(it.text);
    case 'link':
      return link(it.url, it.text ?? it.url);
    case 'user':
      return mentionOf(it.user_id, names);
    case 'channel':
      return mention(`#${names.channel(it.channel_id) ?? it.channel_id}`);
    case 'usergroup':
      return groupMention(it.usergroup_id, names);
    case 'broadcast':
      return mention(`@${it.range}`, true);
    case 'emoji':
      return document.createTextNode(emojiNamed(it.name));
    case 'date':
      return renderDate({ seconds: it.timestamp, format: it.format, url: it.url, fallback: it.fallback });
    default:
      return element('span', { class: 'unsupported' }, it.type);
  }
}
