/** What a phone's lock screen would show of the app's newest message: its `text` alone, as it was when it was posted. */
import { appAvatar } from './authors.js';
import { element, find, reconcile } from './dom.js';
import { plainText } from './mrkdwn.js';
import { names, state, titleOf } from './state.js';

/** How long it covers a part of a narrow page, ms. */
const SHOWN_MS = 5000;
let closed = null;
/** Of a narrow page: the ts of the message that arrived a moment ago, or null. */
let fresh = null;

export function announce(message) {
  if (!message.byApp) return;
  fresh = message.ts;
  setTimeout(() => {
    if (fresh !== message.ts) return;
    fresh = null;
    showFresh();
  }, SHOWN_MS);
}

export function showPreview({ open }) {
  const message = state.newest;
  const box = find('preview');
  box.hidden = message === null || message.ts === closed;
  showFresh();
  if (message === null) return;
  const signature = JSON.stringify([message.ts, state.user]);
  reconcile(box, [{ key: 'preview', signature, create: () => renderPreview(message, open) }]);
}

function showFresh() {
  find('preview').classList.toggle('fresh', fresh !== null);
}

function renderPreview(message, open) {
  const channel = state.channels.get(message.channel);
  const isForMe = message.notified.some((mention) => mention.kind !== 'user' || mention.id === state.user);
  const place = channel === undefined || channel.kind === 'dm' ? '' : ` in ${titleOf(channel).replace('# ', '#')}`;
  const close = () => {
    closed = message.ts;
    find('preview').hidden = true;
  };
  return element(
    'section',
    { 'aria-label': 'Notification' },
    element('small', {}, 'On a phone’s lock screen'),
    element('button', { type: 'button', class: 'close', 'aria-label': 'Close the notification', onclick: close }, '×'),
    element(
      'button',
      { type: 'button', class: 'card', onclick: () => open(message) },
      element('b', {}, appAvatar(), `${state.app.name}${place}`),
      isForMe && element('i', {}, 'mentions you'),
      element('span', { class: 'words' }, wordsOf(message)),
    ),
  );
}

function wordsOf({ text, files = [] }) {
  const words = plainText(text, names).trim();
  if (words !== '') return words;
  return files.length > 0 ? `Uploaded a file: ${files[0].name}` : 'This content can’t be displayed.';
}
