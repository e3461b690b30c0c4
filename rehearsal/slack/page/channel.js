/** The pane of the channel that this person looks at. */
import { suggest } from './composer.js';
import { element, find, reconcile } from './dom.js';
import { showMessages } from './messages.js';
import { rootsShown, state, titleOf } from './state.js';

export function showChannel({ openThread, refresh }) {
  const channel = state.channels.get(state.channel);
  find('channel-name').textContent = channel === undefined ? '' : titleOf(channel);
  find('channel-name').className = channel?.kind ?? '';
  document.title = `${find('channel-name').textContent} · Rehearsal`;
  find('membership').textContent = standingOf(channel);
  find('archived').hidden = channel?.isArchived !== true;
  find('composer').hidden = channel?.isArchived === true;
  const messages = rootsShown();
  const pane = find('messages');
  pane.classList.toggle('empty', messages.length === 0);
  if (messages.length > 0) return showMessages(pane, messages, { openThread, refresh });
  const signature = JSON.stringify([state.channel, state.suggestions]);
  reconcile(pane, [{ key: 'welcome', signature, create: renderWelcome }]);
}

/** What keeps the app from hearing or saying something here. */
function standingOf(channel) {
  if (channel?.botIsMember === false) return `${state.app.name} is not in this channel`;
  return state.connections === 0 ? `${state.app.name} is not connected` : '';
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
