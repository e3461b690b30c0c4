/** Block Kit as DOM nodes. */
import { renderContainer, renderContextActions } from './boxes.js';
import { element } from './dom.js';
import { renderMarkdown } from './markdown.js';
import { renderPlan, renderTask } from './plan.js';
import { renderRichText } from './rich-text.js';
import { renderDataTable, renderTable } from './tables.js';
import { plain, renderText } from './texts.js';

/**
 * One block. Of the context: `names` knows people and channels, `key` names the block for good, `press` hears of a button, and `field`, where
 * there is a form, draws what can be chosen or typed into.
 */
export function renderBlock(block, context) {
  const { names } = context;
  switch (block.type) {
    case 'section':
      return renderSection(block, context);
    case 'header':
      return element('h3', {}, plain(block.text));
    case 'context':
      return renderContext(block, names);
    case 'divider':
      return element('hr');
    case 'image':
      return renderImage(block);
    case 'actions':
      return element('div', { class: 'actions' }, ...block.elements.map((it) => renderElement(it, block, context)));
    case 'input':
      return context.field?.input(block) ?? unsupported(block.type);
    case 'alert':
      return element('div', { class: `alert ${block.level ?? 'default'}` }, ...renderText(block.text, names));
    case 'rich_text':
      return renderRichText(block, names);
    case 'markdown':
      return element('div', { class: 'markdown' }, ...renderMarkdown(block.text, names));
    case 'plan':
      return renderPlan(block, context);
    case 'task_card':
      return renderTask(block, names);
    case 'table':
      return renderTable(block, names);
    case 'data_table':
      return renderDataTable(block, context);
    case 'container':
      return renderContainer(block, context, renderBlock);
    case 'context_actions':
      return renderContextActions(block, context);
    default:
      return unsupported(block.type);
  }
}

/** Slack would draw something here. */
export function unsupported(type) {
  return element('p', { class: 'unsupported' }, `Unsupported block: ${type}`);
}

function renderSection(block, context) {
  const { names } = context;
  const fields = (block.fields ?? []).map((field) => element('div', {}, ...renderText(field, names)));
  return element(
    'div',
    { class: 'section' },
    block.accessory && element('div', { class: 'accessory' }, renderElement(block.accessory, block, context)),
    block.text && element('div', {}, ...renderText(block.text, names)),
    fields.length > 0 && element('div', { class: 'fields' }, ...fields),
  );
}

function renderContext(block, names) {
  const parts = block.elements.map((it) =>
    element('span', {}, ...(it.type === 'image' ? [renderImage(it)] : renderText(it, names))),
  );
  return element('div', { class: 'context' }, ...parts);
}

/** Nothing is fetched from elsewhere: such an image is told by its words. */
function renderImage({ alt_text: words, image_url: url, title }) {
  const isHere = url && URL.canParse(url, location.href) && isOwn(new URL(url, location.href));
  const image = isHere
    ? element('img', { src: url, alt: words })
    : element('span', { class: 'unsupported', role: 'img', 'aria-label': words }, `Image: ${words}`);
  if (!title) return image;
  return element('figure', { class: 'picture' }, element('figcaption', {}, plain(title)), image);
}

function isOwn({ protocol, origin, href }) {
  return (protocol === 'data:' && href.startsWith('data:image/')) || origin === location.origin;
}

function renderElement(it, block, context) {
  if (it.type === 'image') return renderImage(it);
  if (it.type !== 'button') return context.field?.element(it, block) ?? unsupported(it.type);
  const button = element(
    'button',
    { type: 'button', class: it.style ?? 'plain', 'data-action': it.action_id, 'aria-label': it.accessibility_label },
    plain(it.text),
  );
  button.addEventListener('click', () => context.press(it, button));
  return button;
}
