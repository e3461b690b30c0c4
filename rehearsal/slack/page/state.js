/** What the page knows: the workspace as the server tells it, and where this person looks. */

export const state = {
  app: { userId: '', name: 'app' },
  channels: new Map(),
  users: new Map(),
  groups: new Map(),
  /** By ts; roots, replies and ephemerals of all channels. */
  messages: new Map(),
  ephemerals: new Map(),
  /** Open modals of everybody by id, the newest last. */
  views: new Map(),
  connections: 0,
  suggestions: [],
  user: '',
  channel: '',
  /** ts of the root whose thread is open, or null. */
  thread: null,
  /** The app's newest message as it was when it was posted, or null. */
  newest: null,
};

export const names = {
  user: (id) => state.users.get(id)?.name,
  channel: (id) => state.channels.get(id)?.name,
  group: (id) => state.groups.get(id)?.handle,
  isMe: (id) => id === state.user,
};

/** Loads everything anew; what this person looked at stays, if it is still there. */
export function load(fresh) {
  const byId = (list) => new Map(list.map((it) => [it.id, it]));
  const byTs = (list) => new Map(list.map((it) => [it.ts, it]));
  Object.assign(state, {
    app: fresh.app,
    channels: byId(fresh.channels),
    users: byId(fresh.users),
    groups: byId(fresh.groups),
    messages: byTs(fresh.messages),
    ephemerals: byTs(fresh.ephemerals),
    views: byId(fresh.views),
    connections: fresh.connections,
    suggestions: fresh.suggestions,
  });
  state.newest = inOrder([...state.messages.values()].filter((it) => it.byApp && !it.deleted)).at(-1) ?? null;
  if (!state.users.has(state.user)) state.user = people()[0]?.id ?? '';
  if (!state.channels.has(state.channel)) state.channel = visibleChannels()[0]?.id ?? '';
  if (state.thread !== null && !state.messages.has(state.thread)) state.thread = null;
}

/** Takes one change; returns the root that the app has just posted here, or null. */
export function apply(change) {
  if (change.kind === 'connections') state.connections = change.open;
  else if (change.kind === 'channel') state.channels.set(change.channel.id, change.channel);
  else if (change.kind === 'ephemeral') state.ephemerals.set(change.ephemeral.ts, change.ephemeral);
  else if (change.kind === 'view') keepView(change.view);
  else return keepMessage(change);
  return null;
}

function keepView(view) {
  if (view.isOpen) state.views.set(view.id, view);
  else state.views.delete(view.id);
}

function keepMessage({ kind, message }) {
  state.messages.set(message.ts, message);
  if (kind !== 'posted' || !message.byApp) return null;
  state.newest = message;
  return message.thread === null && message.channel === state.channel ? message.ts : null;
}

/** Those who can type here: the app and other bots can't. */
export function people() {
  return [...state.users.values()].filter((user) => user.kind !== 'bot');
}

export function visibleChannels() {
  return [...state.channels.values()].filter(isVisible);
}

/** Direct messages are for one person, private channels for those in them. */
function isVisible({ kind, user, members }) {
  if (kind === 'dm') return user === state.user;
  return kind === 'public' || members === null || members.includes(state.user);
}

/** A channel's roots, replies that were sent to it too, and this person's ephemerals there, in the order of time. */
export function rootsShown() {
  const roots = [...state.messages.values()].filter(
    (message) =>
      message.channel === state.channel &&
      (message.thread === null || message.broadcast) &&
      (!message.deleted || repliesOf(message.ts).length > 0),
  );
  return inOrder([...roots, ...ephemeralsIn(null)]);
}

export function threadShown() {
  const root = state.messages.get(state.thread);
  return root === undefined ? [] : inOrder([root, ...repliesOf(root.ts), ...ephemeralsIn(root.ts)]);
}

export function repliesOf(ts) {
  return [...state.messages.values()].filter((message) => message.thread === ts && !message.deleted);
}

/** The newest root of the app in this channel, or null. */
export function newestRoot() {
  const roots = rootsShown().filter((message) => message.byApp && message.thread === null);
  return roots.at(-1)?.ts ?? null;
}

/** The modal that this person has before them, or undefined. */
export function topView() {
  return [...state.views.values()].filter((view) => view.isOpen && view.user === state.user).at(-1);
}

export function titleOf(channel) {
  if (channel.kind === 'dm') return state.app.name;
  // A private channel's lock is drawn by the style sheet.
  return channel.kind === 'private' ? channel.name : `# ${channel.name}`;
}

export function dismiss(ts) {
  state.ephemerals.delete(ts);
}

function ephemeralsIn(thread) {
  return [...state.ephemerals.values()].filter(
    (it) => it.channel === state.channel && it.user === state.user && it.thread === thread && !it.deleted,
  );
}

function inOrder(messages) {
  return messages.sort((a, b) => Number(a.ts) - Number(b.ts));
}
