/** The page: hears changes from the server, shows the panes, and moves between them. */
import { showChannel } from './channel.js';
import { showPlace, startComposers } from './composer.js';
import { find, keepAtEnd, narrow } from './dom.js';
import { showMessages } from './messages.js';
import { showModal, startModal } from './modal.js';
import { announce, showPreview } from './preview.js';
import { listen } from './server.js';
import { showSidebar } from './sidebar.js';
import { apply, load, newestRoot, state, threadShown, visibleChannels } from './state.js';

let refreshTimer = 0;

start();

function start() {
  startComposers();
  startModal();
  find('close-thread').addEventListener('click', leaveThread);
  find('leave-thread').addEventListener('click', leaveThread);
  find('thread').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) leaveThread();
  });
  find('show-sidebar').addEventListener('click', () => setPane('sidebar'));
  find('user').addEventListener('change', (event) => {
    state.user = event.target.value;
    if (!visibleChannels().some((channel) => channel.id === state.channel))
      state.channel = visibleChannels()[0]?.id ?? '';
    state.thread = null;
    refresh();
  });
  listen({
    ready(fresh, changes) {
      load(fresh);
      changes.forEach(take);
      find('offline').hidden = true;
      lookWhereTheAddressSays();
      refresh();
    },
    changed: take,
    lost() {
      find('offline').hidden = false;
    },
  });
}

function take(change) {
  const root = apply(change);
  if (root !== null && !narrow.matches) state.thread = root;
  if (change.kind === 'posted') announce(change.message);
  // Many changes may come at once: one drawing shows them all.
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, 20);
}

/** /archives/CHANNEL/pTS is a permalink: that message's thread, else its channel. */
function lookWhereTheAddressSays() {
  const [, channel, digits] = /^\/archives\/(\w+)\/p(\d+)$/.exec(location.pathname) ?? [];
  const message = digits && state.messages.get(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
  if (message && message.channel === channel) {
    state.channel = channel;
    openThread(message.thread ?? message.ts);
  } else if (!narrow.matches && state.thread === null) state.thread = newestRoot();
}

function openThread(ts) {
  state.thread = ts;
  setPane('thread');
  refresh();
  find('replies').scrollTop = find('replies').scrollHeight;
  // On a phone a focused input would bring up the keyboard.
  find(narrow.matches ? 'thread-title' : 'reply-input').focus();
}

/** Back to the message that the thread belongs to. */
function leaveThread() {
  const root = state.thread;
  state.thread = null;
  setPane('channel');
  refresh();
  const buttons = find('messages').querySelectorAll(
    `[data-ts="${root}"] > .foot .replies, [data-ts="${root}"] > .tools button`,
  );
  buttons[0]?.focus();
}

function openChannel(id) {
  state.channel = id;
  state.thread = narrow.matches ? null : newestRoot();
  setPane('channel');
  refresh();
  find('messages').scrollTop = find('messages').scrollHeight;
}

/** On a phone one pane is seen at a time. */
function setPane(name) {
  find('workspace').dataset.pane = name;
}

function refresh() {
  showSidebar({ openChannel });
  // A pane's width depends on the other's presence, so both are drawn before either is brought to its end.
  keepAtEnd(find('messages'), () => {
    keepAtEnd(find('replies'), () => {
      showChannel({ openThread, refresh });
      showThread();
      showPlace();
    });
  });
  showPreview({ open: openMessage });
  showModal();
}

function showThread() {
  const messages = threadShown();
  find('thread').hidden = messages.length === 0;
  find('workspace').classList.toggle('with-thread', messages.length > 0);
  find('thread-channel').textContent = find('channel-name').textContent;
  find('reply').hidden = find('composer').hidden;
  showMessages(find('replies'), messages, { refresh });
}

function openMessage({ channel, thread, ts }) {
  state.channel = channel;
  openThread(thread ?? ts);
}
