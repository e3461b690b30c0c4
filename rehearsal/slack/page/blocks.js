/** Block Kit as DOM nodes. */
import { element } from './dom.js';
import { emoji as emojiNamed, withEmoji } from './emoji.js';
import { link, mention, renderDate, renderMrkdwn } from './mrkdwn.js';

/** One block. `names` knows people and channels, `press` hears of a button. */
export function renderBlock(block, { names, press }) {
  switch (block.type) {
    case 'section':
      return renderSection(block, { names, press });
    case 'header':
      return element('h3', {}, plain(block.text));
    case 'context':
      return element(
        'div',
        { class: 'context' },
        ...block.elements.map((it) => element('span', {}, ...renderContext(it, names))),
      );
    case 'divider':
      return element('hr');
    case 'image':
      return renderImage(block);
    case 'actions':
      return element('div', { class: 'actions' }, ...block.elements.map((it) => renderElement(it, press)));
    case 'rich_text':
      return element('div', { class: 'rich' }, ...block.elements.map((part) => renderPart(part, names)));
    case 'markdown':
      return element('div', { class: 'section' }, ...renderMrkdwn(block.text, names));
    default:
      return element('p', { class: 'unknown' }, `A ${block.type} block (this page does not draw it)`);
  }
}

function renderSection(block, { names, press }) {
  const fields = (block.fields ?? []).map((field) => element('div', {}, ...renderText(field, names)));
  return element(
    'div',
    { class: 'section' },
    block.accessory && element('div', { class: 'accessory' }, renderElement(block.accessory, press)),
    block.text && element('div', {}, ...renderText(block.text, names)),
    fields.length > 0 && element('div', { class: 'fields' }, ...fields),
  );
}

function renderText({ type, text, emoji }, names) {
  return type === 'mrkdwn'
    ? renderMrkdwn(text, names)
    : [element('span', { class: 'verbatim' }, plain({ text, emoji }))];
}

/** `emoji: false` keeps :names: as they are. */
function plain({ text, emoji }) {
  return emoji === false ? text : withEmoji(text);
}

function renderContext(it, names) {
  return it.type === 'image' ? [renderImage(it)] : renderText(it, names);
}

function renderImage({ alt_text, image_url }) {
  return image_url ? element('img', { src: image_url, alt: alt_text }) : element('p', { class: 'unknown' }, alt_text);
}

function renderElement(it, press) {
  if (it.type === 'image') return renderImage(it);
  if (it.type !== 'button') return element('span', { class: 'unknown' }, it.type);
  const button = element(
    'button',
    { type: 'button', class: it.style ?? 'plain', 'data-action': it.action_id, 'aria-label': it.accessibility_label },
    plain(it.text),
  );
  button.addEventListener('click', () => press(it, button));
  return button;
}

function renderPart(part, names) {
  const inlines = () => part.elements.map((it) => renderInline(it, names));
  switch (part.type) {
    case 'rich_text_preformatted':
      return element('pre', {}, ...inlines());
    case 'rich_text_quote':
      return element('blockquote', {}, ...inlines());
    case 'rich_text_list': {
      const items = part.elements.map((item) =>
        element('li', {}, ...item.elements.map((it) => renderInline(it, names))),
      );
      return element(part.style === 'ordered' ? 'ol' : 'ul', {}, ...items);
    }
    default:
      return element('p', {}, ...inlines());
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
      return mention(`@${names.user(it.user_id) ?? it.user_id}`);
    case 'channel':
      return mention(`#${names.channel(it.channel_id) ?? it.channel_id}`);
    case 'usergroup':
      return mention('@group');
    case 'broadcast':
      return mention(`@${it.range}`);
    case 'emoji':
      return document.createTextNode(emojiNamed(it.name));
    case 'date':
      return renderDate(it.timestamp, it.format, it.fallback);
    default:
      return document.createTextNode('');
  }
}
