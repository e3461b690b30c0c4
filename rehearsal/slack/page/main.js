/** The page: hears changes from the server, shows the panes, and remembers where this person looks. */
import { showPlace, startComposer, suggest } from './composer.js';
import { element, find, keepAtEnd, reconcile } from './dom.js';
import { showMessages } from './messages.js';
import { apply, load, newestRoot, people, rootsShown, state, threadShown, visibleChannels } from './state.js';

const isNarrow = matchMedia('(max-width: 760px)');
let refreshTimer = 0;
let isLoaded = false;

start();

function start() {
  startComposer();
  find('close-thread').addEventListener('click', leaveThread);
  find('leave-thread').addEventListener('click', leaveThread);
  find('show-sidebar').addEventListener('click', () => setPane('sidebar'));
  find('user').addEventListener('change', (event) => {
    state.user = event.target.value;
    if (!visibleChannels().some((channel) => channel.id === state.channel))
      state.channel = visibleChannels()[0]?.id ?? '';
    state.thread = null;
    refresh();
  });
  listen();
}

/** Changes that arrive while the state is being fetched wait for it; each holds a whole message, so order is all that counts. */
function listen() {
  const source = new EventSource('/page/changes');
  let waiting = [];
  const begin = async () => {
    waiting = [];
    isLoaded = false;
    load(await (await fetch('/page/state')).json());
    waiting.forEach(take);
    isLoaded = true;
    find('offline').hidden = true;
    lookWhereTheAddressSays();
    refresh();
  };
  source.addEventListener('open', () => void begin());
  source.addEventListener('message', (event) => {
    const change = JSON.parse(event.data);
    if (isLoaded) take(change);
    else waiting.push(change);
  });
  // EventSource tries again by itself.
  source.addEventListener('error', () => {
    find('offline').hidden = false;
  });
}

function take(change) {
  const root = apply(change);
  if (root !== null && !isNarrow.matches) state.thread = root;
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
  } else if (!isNarrow.matches && state.thread === null) state.thread = newestRoot();
}

function openThread(ts) {
  state.thread = ts;
  setPane('thread');
  refresh();
  find('replies').scrollTop = find('replies').scrollHeight;
}

function leaveThread() {
  state.thread = null;
  setPane('channel');
  refresh();
}

function openChannel(id) {
  state.channel = id;
  state.thread = isNarrow.matches ? null : newestRoot();
  setPane('channel');
  refresh();
  find('messages').scrollTop = find('messages').scrollHeight;
}

/** On a phone one pane is seen at a time. */
function setPane(name) {
  find('workspace').dataset.pane = name;
}

function refresh() {
  showSidebar();
  showChannel();
  showThread();
  showPlace();
}

function showSidebar() {
  const entries = visibleChannels().map((channel) => {
    const isHere = channel.id === state.channel;
    const create = () =>
      element(
        'button',
        {
          type: 'button',
          class: channel.kind,
          'aria-current': isHere && 'page',
          onclick: () => openChannel(channel.id),
        },
        titleOf(channel),
      );
    return { key: channel.id, signature: JSON.stringify([channel, isHere]), create };
  });
  reconcile(find('channels'), entries);
  const options = people().map((user) => {
    const title = user.kind === 'guest' ? `${user.name} (guest)` : user.name;
    return { key: user.id, signature: title, create: () => element('option', { value: user.id }, title) };
  });
  reconcile(find('user'), options);
  find('user').value = state.user;
  find('person').hidden = options.length < 2;
  const isConnected = state.connections > 0;
  find('connection').className = isConnected ? 'on' : 'off';
  find('connection').textContent = isConnected
    ? `${state.app.name} is connected`
    : `${state.app.name} is not connected`;
}

function showChannel() {
  const channel = state.channels.get(state.channel);
  find('channel-name').textContent = channel === undefined ? '' : titleOf(channel);
  find('channel-name').className = channel?.kind ?? '';
  document.title = `${find('channel-name').textContent} · Rehearsal`;
  find('membership').textContent = channel?.botIsMember === false ? `${state.app.name} is not in this channel` : '';
  const messages = rootsShown();
  const pane = find('messages');
  pane.classList.toggle('empty', messages.length === 0);
  keepAtEnd(pane, () => {
    if (messages.length > 0) showMessages(pane, messages, { openThread, refresh });
    else
      reconcile(pane, [
        { key: 'welcome', signature: JSON.stringify([state.channel, state.suggestions]), create: renderWelcome },
      ]);
  });
}

function renderWelcome() {
  const tries = state.suggestions.map((text) =>
    element('button', { type: 'button', onclick: () => suggest(text) }, text),
  );
  const channel = state.channels.get(state.channel);
  return element(
    'div',
    { class: 'welcome' },
    element('h2', {}, `This is the beginning of ${channel === undefined ? 'the channel' : titleOf(channel)}`),
    tries.length > 0 && element('p', {}, 'Type a command below, for example:'),
    element('div', { class: 'tries' }, ...tries),
  );
}

function showThread() {
  const messages = threadShown();
  find('thread').hidden = messages.length === 0;
  find('workspace').classList.toggle('with-thread', messages.length > 0);
  find('thread-channel').textContent = find('channel-name').textContent;
  keepAtEnd(find('replies'), () => showMessages(find('replies'), messages, { refresh }));
}

function titleOf(channel) {
  if (channel.kind === 'dm') return state.app.name;
  // A private channel's lock is drawn by the style sheet.
  return channel.kind === 'private' ? channel.name : `# ${channel.name}`;
}
