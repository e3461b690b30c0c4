/** Blocks that hold others: a container that may be folded, and small buttons below a message. */
import { element } from './dom.js';
import { isOpen, remember } from './folds.js';
import { renderRichText } from './rich-text.js';
import { renderText } from './texts.js';

/** `renderBlock` draws its children. */
export function renderContainer(block, context, renderBlock) {
  const { names, key } = context;
  const title = block.rich_text_title
    ? renderRichText(block.rich_text_title, names)
    : element('span', {}, ...renderText(block.title, names));
  const subtitle = block.subtitle && element('span', { class: 'subtitle' }, ...renderText(block.subtitle, names));
  const children = block.child_blocks.map((child, at) => renderBlock(child, { ...context, key: `${key}/${at}` }));
  if (!block.is_collapsible) {
    const rule = block.has_header_divider ? ' ruled' : '';
    return element(
      'div',
      { class: `container${rule}` },
      element('div', { class: 'top' }, title, subtitle),
      ...children,
    );
  }
  const node = element(
    'details',
    { class: 'container', open: isOpen(key, block.default_collapsed !== true) },
    element('summary', {}, title, subtitle),
    ...children,
  );
  node.addEventListener('toggle', () => remember(key, node.open));
  return node;
}

/** Thumbs and icons: the words stand beside them, since this page has no icons of Slack's. */
export function renderContextActions({ elements }, { names, press }) {
  const small = (words, label, action) => {
    const button = element(
      'button',
      { type: 'button', class: 'small', 'data-action': action.action_id, 'aria-label': label },
      words,
    );
    button.addEventListener('click', () => press(action, button));
    return button;
  };
  const buttons = elements.flatMap((it) => {
    if (it.type === 'icon_button') {
      const isVisible = it.visible_to_user_ids?.some(names.isMe) ?? true;
      return isVisible ? [small(it.text.text, it.accessibility_label, it)] : [];
    }
    const sides = [
      ['👍', it.positive_button],
      ['👎', it.negative_button],
    ];
    return sides.map(([thumb, side]) =>
      small(`${thumb} ${side.text.text}`, side.accessibility_label, { ...it, value: side.value }),
    );
  });
  return element('div', { class: 'context-actions' }, ...buttons);
}
