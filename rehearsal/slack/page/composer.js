/** Where a person types: Enter sends, a slash offers commands, arrow up brings back what was sent. */
import { element, find, reconcile, toast } from './dom.js';
import { send } from './messages.js';
import { names, state } from './state.js';

const sent = [];
let recalled = 0;

export function startComposer() {
  const input = find('input');
  find('composer').addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(input);
  });
  input.addEventListener('input', showHints);
  input.addEventListener('focus', showHints);
  input.addEventListener('blur', () => setTimeout(hideHints, 150));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hideHints();
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') recall(event, input);
  });
}

export function showPlace() {
  find('input').placeholder = `Message #${names.channel(state.channel) ?? ''}`;
}

/** Puts a command into the input, ready to be sent. */
export function suggest(text) {
  const input = find('input');
  input.value = text;
  input.focus();
  hideHints();
}

async function submit(input) {
  const text = input.value.trim();
  if (text === '') return;
  input.value = '';
  hideHints();
  sent.push(text);
  recalled = sent.length;
  const outcome = await send('/page/type', { user: state.user, channel: state.channel, text });
  // Slack's own words for a failed command appear in the channel; only a failure of this page needs a notice.
  if (outcome.error && outcome.envelopeId === undefined) toast(outcome.error);
}

function recall(event, input) {
  const next = recalled + (event.key === 'ArrowUp' ? -1 : 1);
  if (next < 0 || next > sent.length) return;
  event.preventDefault();
  recalled = next;
  input.value = sent[recalled] ?? '';
}

function showHints() {
  const typed = find('input').value;
  const fitting = typed.startsWith('/')
    ? state.suggestions.filter((text) => text.startsWith(typed) && text !== typed)
    : [];
  const create = (text) => () =>
    element('li', {}, element('button', { type: 'button', onclick: () => suggest(text) }, text));
  reconcile(
    find('hints'),
    fitting.map((text) => ({ key: text, signature: '', create: create(text) })),
  );
  find('hints').hidden = fitting.length === 0;
}

function hideHints() {
  find('hints').hidden = true;
}
