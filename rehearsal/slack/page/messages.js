/** Messages as DOM nodes: who, when, what, and what can be done with it. */
import { renderBlock } from './blocks.js';
import { element, find, reconcile, toast } from './dom.js';
import { emoji } from './emoji.js';
import { renderMrkdwn } from './mrkdwn.js';
import { dismiss, names, repliesOf, state } from './state.js';

/** Fills a pane with messages. `openThread` is given where replies are counted, and not inside a thread. */
export function showMessages(pane, messages, { openThread = null, refresh }) {
  const entries = messages.map((message, at) => {
    const replies = openThread === null ? [] : repliesOf(message.ts);
    const isJoined = openThread === null && at > 1 && follows(message, messages[at - 1]);
    const signature = JSON.stringify([
      message,
      replies.length,
      replies.at(-1)?.ts,
      isJoined,
      state.thread === message.ts,
    ]);
    const shape = { message, replies, isJoined, openThread, refresh };
    return {
      key: message.ts,
      signature,
      create: () => fill(createShell(message), shape),
      update: (node) => fill(node, shape),
    };
  });
  reconcile(pane, entries);
}

/** Said by the same one within five minutes: shown without avatar and name. */
function follows(message, before) {
  const isPlain = message.source === undefined && before.source === undefined;
  return isPlain && message.author === before.author && Number(message.ts) - Number(before.ts) < 300;
}

function createShell(message) {
  const parts = ['gutter', 'head', 'body', 'foot'].map((name) => element('div', { class: name }));
  return element('article', { 'data-ts': message.ts }, ...parts);
}

function fill(node, shape) {
  const { message, replies, isJoined, openThread, refresh } = shape;
  const [gutter, head, body, foot] = node.children;
  const isEphemeral = message.source !== undefined;
  node.className = ['message', isEphemeral && 'ephemeral', isJoined && 'joined', state.thread === message.ts && 'open']
    .filter(Boolean)
    .join(' ');
  const broadcast = message.broadcast && !message.deleted ? [renderBroadcast(message, openThread)] : [];
  gutter.replaceChildren(isJoined ? time(message.ts, { hourCycle: 'h23' }) : avatar(authorOf(message)));
  const isInThread = openThread === null;
  head.replaceChildren(...(isInThread ? [] : broadcast), ...(isJoined ? [] : renderHead(message, refresh)));
  showContent(body, message);
  foot.replaceChildren(
    ...(message.reactions?.map((it) =>
      element('span', { class: 'reaction' }, `${emoji(it.name)} ${it.users.length}`),
    ) ?? []),
    ...(isInThread ? broadcast : []),
    ...(replies.length > 0 ? [renderReplies(message, replies, openThread)] : []),
  );
  return node;
}

function renderHead(message, refresh) {
  const author = authorOf(message);
  const badge = author.kind === 'bot' && element('span', { class: 'badge' }, 'APP');
  const head = [element('strong', {}, author.name), badge, time(message.ts)].filter(Boolean);
  if (message.source === undefined) return head;
  const close = () => {
    dismiss(message.ts);
    refresh();
  };
  return [
    ...head,
    element('span', { class: 'whisper' }, 'Only visible to you'),
    element('button', { type: 'button', class: 'dismiss', onclick: close }, 'Dismiss'),
  ];
}

function showContent(body, message) {
  if (message.deleted) return body.replaceChildren(element('p', { class: 'unknown' }, 'This message was deleted.'));
  const edited =
    message.edits > 0 && message.source === undefined
      ? [{ key: 'edited', signature: '', create: () => element('span', { class: 'edited' }, '(edited)') }]
      : [];
  const context = { names, press: (button, node) => press(message, button, node) };
  const blocks = message.blocks.map((block, at) => {
    // A new block_id alone changes nothing that can be seen.
    const signature = JSON.stringify({ ...block, block_id: '' });
    return { key: at, signature, create: () => renderBlock(block, context) };
  });
  const text = () => element('div', { class: 'section' }, ...renderMrkdwn(message.text, names));
  const shown = blocks.length > 0 ? blocks : [{ key: 'text', signature: message.text, create: text }];
  reconcile(body, [...shown, ...edited]);
}

/** In the channel: what thread it answers; in the thread: that the channel has it too. */
function renderBroadcast(message, openThread) {
  if (openThread === null) return element('span', { class: 'broadcast' }, 'Also sent to the channel');
  const open = () => openThread(message.thread);
  return element('button', { type: 'button', class: 'broadcast', onclick: open }, 'replied to a thread');
}

function renderReplies(message, replies, openThread) {
  const last = time(replies.at(-1).ts);
  const count = replies.length === 1 ? '1 reply' : `${replies.length} replies`;
  return element(
    'button',
    { type: 'button', class: 'replies', onclick: () => openThread(message.ts) },
    element('b', {}, count),
    ' last at ',
    last,
  );
}

/** Presses a button of the app, after its confirm dialog if it has one. */
async function press(message, button, node) {
  if (button.confirm && !(await isConfirmed(button.confirm))) return;
  if (button.url) window.open(button.url, '_blank', 'noreferrer');
  node.disabled = true;
  const { ts, channel } = message;
  const outcome = await send('/page/click', { user: state.user, channel, ts, actionId: button.action_id });
  node.disabled = false;
  if (outcome.error === 'operation_timeout') toast(`${state.app.name} did not answer this click within 3 seconds.`);
  else if (outcome.error === 'dispatch_failed')
    toast(`${state.app.name} is not connected, so nobody heard this click.`);
  else if (outcome.error) toast(outcome.error);
}

/** Posts JSON to the page's server; a failure comes back as {error}. */
export async function send(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { error: 'The server of this page does not answer. Is it still running?' };
  }
}

function isConfirmed(confirm) {
  const dialog = find('confirm');
  find('confirm-title').textContent = confirm.title.text;
  find('confirm-text').replaceChildren(
    ...(confirm.text.type === 'mrkdwn' ? renderMrkdwn(confirm.text.text, names) : [confirm.text.text]),
  );
  find('confirm-accept').textContent = confirm.confirm.text;
  find('confirm-accept').className = confirm.style ?? 'primary';
  find('confirm-deny').textContent = confirm.deny.text;
  // Escape leaves returnValue as it was.
  dialog.returnValue = 'deny';
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'accept'), { once: true }),
  );
}

function authorOf(message) {
  if (message.source === 'slack') return { id: 'slack', name: 'Slackbot', kind: 'bot' };
  const id = message.source === undefined ? message.author : state.app.userId;
  return state.users.get(id) ?? { id, name: id, kind: 'member' };
}

/** A coloured square with the first letter; the hue comes from the id. */
function avatar({ id, name, kind }) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const square = element('span', { class: `avatar ${kind}`, 'aria-hidden': 'true' }, name.slice(0, 1).toUpperCase());
  square.style.setProperty('--hue', String(hue));
  return square;
}

function time(ts, options = {}) {
  const date = new Date(Number(ts) * 1000);
  const text = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', ...options });
  return element('time', { datetime: date.toISOString(), title: date.toLocaleString() }, text);
}
