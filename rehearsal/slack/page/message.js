/** A message as a DOM node: who, when, what, and what can be done with it. */
import { authorOf, avatar, dayOf, time } from './authors.js';
import { showContent } from './content.js';
import { element, narrow, reconcile } from './dom.js';
import { emoji } from './emoji.js';
import { plainText } from './mrkdwn.js';
import { dismiss, names } from './state.js';

const OF_ITS_OWN = 'a, button, summary, details, select, input, textarea, pre, .scrolls';

/**
 * A message's node. Of the shape: the message, its replies where they are counted, its root if it was sent to the channel too, `isJoined` to the one
 * before, `isHere` if its thread is open, and `openThread` outside of threads.
 */
export function createMessage(shape) {
  return fillMessage(createShell(shape), shape);
}

export function countWords(count) {
  return count === 1 ? '1 reply' : `${count} replies`;
}

function createShell({ message, openThread }) {
  const parts = ['gutter', 'head', 'body', 'foot'].map((name) => element('div', { class: name }));
  const node = element('article', { 'data-ts': message.ts }, ...parts);
  if (openThread === null || message.source !== undefined) return node;
  const open = () => openThread(message.thread ?? message.ts);
  node.append(
    element('div', { class: 'tools' }, element('button', { type: 'button', onclick: open }, 'Reply in thread')),
  );
  // On a phone a tap anywhere on a message opens its thread.
  node.addEventListener('click', (event) => {
    if (narrow.matches && event.target.closest(OF_ITS_OWN) === null) open();
  });
  return node;
}

/** Brings a message's node to what the message is now. */
export function fillMessage(node, shape) {
  const { message, isJoined, isHere, openThread } = shape;
  const [gutter, head, body, foot] = node.children;
  const isEphemeral = message.source !== undefined;
  node.className = ['message', isEphemeral && 'ephemeral', isJoined && 'joined', isHere && 'open']
    .filter(Boolean)
    .join(' ');
  // Screen readers get the sender and `text`; blocks stand below for whoever walks through them.
  const words = message.deleted ? 'deleted' : plainText(message.text, names);
  node.setAttribute('aria-label', `${authorOf(message).name}: ${words}`);
  gutter.replaceChildren(isJoined ? time(message.ts, true) : avatar(authorOf(message)));
  reconcile(head, [...(openThread === null ? [] : broadcastEntries(shape)), ...(isJoined ? [] : headEntries(message))]);
  showContent(body, message);
  reconcile(foot, footEntries(shape));
  return node;
}

function headEntries(message) {
  const create = () => element('span', { class: 'who' }, ...renderHead(message));
  return [{ key: 'who', signature: '', create }];
}

function footEntries(shape) {
  const { message, replies, openThread } = shape;
  const reactions = (message.reactions ?? []).map(({ name, users }) => ({
    key: `reaction ${name}`,
    signature: String(users.length),
    create: () => element('span', { class: 'reaction' }, `${emoji(name)} ${users.length}`),
  }));
  const count = {
    key: 'replies',
    signature: `${replies.length} ${replies.at(-1)?.ts}`,
    create: () => renderReplies(message, replies, openThread),
  };
  const close = { key: 'dismiss', signature: '', create: () => renderDismiss(shape) };
  return [
    ...reactions,
    ...(openThread === null ? broadcastEntries(shape) : []),
    ...(replies.length > 0 ? [count] : []),
    ...(message.source === undefined ? [] : [close]),
  ];
}

function broadcastEntries(shape) {
  const { message, root } = shape;
  if (!message.broadcast || message.deleted) return [];
  return [{ key: 'broadcast', signature: root?.text ?? '', create: () => renderBroadcast(shape) }];
}

function renderHead(message) {
  const author = authorOf(message);
  const whisper = message.source !== undefined && element('span', { class: 'whisper' }, 'Only visible to you');
  const badge = author.kind === 'bot' && element('span', { class: 'badge' }, 'APP');
  return [whisper, element('strong', {}, author.name), badge, time(message.ts)].filter(Boolean);
}

function renderDismiss({ message, refresh }) {
  const close = () => {
    dismiss(message.ts);
    refresh();
  };
  return element('button', { type: 'button', class: 'dismiss', onclick: close }, 'Dismiss message');
}

/** In the channel: what thread it answers; in the thread: that the channel has it too. */
function renderBroadcast({ message, root, openThread }) {
  if (openThread === null) return element('span', { class: 'broadcast' }, 'Also sent to the channel');
  const about = root === undefined || root.deleted ? '' : plainText(root.text, names);
  const open = () => openThread(message.thread);
  return element(
    'button',
    { type: 'button', class: 'broadcast', onclick: open },
    'replied to a thread',
    about !== '' && ': ',
    about !== '' && element('b', {}, about),
  );
}

function renderReplies(message, replies, openThread) {
  const last = replies.at(-1);
  const authors = [...new Map(replies.map((reply) => [reply.author, authorOf(reply)])).values()].slice(0, 5);
  return element(
    'button',
    { type: 'button', class: 'replies', onclick: () => openThread(message.ts) },
    element('span', { class: 'faces', 'aria-hidden': 'true' }, ...authors.map(avatar)),
    element('b', {}, countWords(replies.length)),
    element(
      'span',
      { class: 'last' },
      `Last reply ${dayOf(last.ts).replace(/^[TY]/, (letter) => letter.toLowerCase())} at `,
      time(last.ts),
    ),
  );
}
