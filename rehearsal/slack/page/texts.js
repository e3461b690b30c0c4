/** Text objects: plain_text and mrkdwn. */
import { element } from './dom.js';
import { withEmoji } from './emoji.js';
import { renderMrkdwn } from './mrkdwn.js';

export function renderText({ type, text, emoji }, names) {
  return type === 'mrkdwn'
    ? renderMrkdwn(text, names)
    : [element('span', { class: 'verbatim' }, plain({ text, emoji }))];
}

/** `emoji: false` keeps :names: as they are. */
export function plain({ text, emoji }) {
  return emoji === false ? text : withEmoji(text);
}
