/** The messages of a pane, and what stands between them. */
import { dayOf } from './authors.js';
import { element, reconcile } from './dom.js';
import { countWords, createMessage, fillMessage } from './message.js';
import { repliesOf, state } from './state.js';

/** Fills a pane with messages. `openThread` is given where replies are counted, and not inside a thread. */
export function showMessages(pane, messages, { openThread = null, refresh }) {
  const entries = messages.flatMap((message, at) => {
    const before = messages[at - 1];
    const entry = messageEntry({ message, before: at > 1 ? before : undefined, openThread, refresh });
    if (openThread === null) return at === 0 ? [entry, ...countEntries(repliesOf(message.ts).length)] : [entry];
    const isNewDay = before === undefined || dayOf(before.ts) !== dayOf(message.ts);
    return isNewDay ? [dayEntry(message.ts), entry] : [entry];
  });
  reconcile(pane, entries);
}

function messageEntry({ message, before, openThread, refresh }) {
  const replies = openThread === null ? [] : repliesOf(message.ts);
  const isJoined = openThread === null && before !== undefined && follows(message, before);
  const isHere = state.thread === message.ts;
  const root = message.broadcast ? state.messages.get(message.thread) : undefined;
  // The text of a file never changes, and may be long.
  const seen = { ...message, files: message.files?.map((file) => file.id) };
  const signature = JSON.stringify([
    seen,
    replies.length,
    replies.at(-1)?.ts,
    isJoined,
    isHere,
    state.user,
    root?.text,
  ]);
  const shape = { message, replies, isJoined, isHere, root, openThread, refresh };
  return {
    key: message.ts,
    signature,
    create: () => createMessage(shape),
    update: (node) => fillMessage(node, shape),
  };
}

/** Said by the same one within five minutes: shown without avatar and name. */
function follows(message, before) {
  const isPlain = message.source === undefined && before.source === undefined;
  return isPlain && message.author === before.author && Number(message.ts) - Number(before.ts) < 300;
}

function dayEntry(ts) {
  const day = dayOf(ts);
  const create = () => element('div', { class: 'day', role: 'separator', 'aria-label': day }, element('span', {}, day));
  return { key: `day ${day}`, signature: day, create };
}

function countEntries(count) {
  if (count === 0) return [];
  const words = countWords(count);
  const create = () =>
    element('div', { class: 'count', role: 'separator', 'aria-label': words }, element('span', {}, words));
  return [{ key: 'count', signature: words, create }];
}
