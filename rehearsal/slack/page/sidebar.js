/** The channels, whether the app is there, and who this person is. */
import { element, find, reconcile } from './dom.js';
import { people, state, titleOf, visibleChannels } from './state.js';

export function showSidebar({ openChannel }) {
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
  showPeople();
  find('connection').className = state.connections > 0 ? 'on' : 'off';
  find('connection').textContent = connectionWords();
}

function showPeople() {
  const options = people().map((user) => {
    const title = user.kind === 'guest' ? `${user.name} (guest)` : user.name;
    return { key: user.id, signature: title, create: () => element('option', { value: user.id }, title) };
  });
  reconcile(find('user'), options);
  find('user').value = state.user;
  find('person').hidden = options.length < 2;
}

function connectionWords() {
  const { app, connections } = state;
  if (connections === 0) return `${app.name} is not connected`;
  if (connections === 1) return `${app.name} is connected`;
  return `${app.name} is connected ${connections === 2 ? 'twice' : `${connections} times`}`;
}
