/** Where a person types, in the channel and in a thread: Enter sends, a slash or an @ offers words, arrow up brings back what was sent. */
import { element, find, reconcile, toast } from './dom.js';
import { send } from './server.js';
import { names, state } from './state.js';

const sent = [];
let recalled = 0;

export function startComposers() {
  startComposer({ form: find('composer'), thread: () => null });
  startComposer({ form: find('reply'), thread: () => state.thread });
}

export function showPlace() {
  const channel = state.channels.get(state.channel);
  find('input').placeholder =
    channel?.kind === 'dm' ? `Message ${state.app.name}` : `Message #${names.channel(state.channel) ?? ''}`;
}

/** Puts a command into the channel's input, ready to be sent. */
export function suggest(text) {
  fill(find('input'), text);
}

function startComposer({ form, thread }) {
  const input = form.querySelector('textarea');
  const hints = form.querySelector('.hints');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit({ input, hints, thread: thread() });
  });
  const show = () => showHints({ input, hints, isThread: thread() !== null });
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) hide(hints);
  });
  // A press on a hint leaves the focus where it is.
  hints.addEventListener('mousedown', (event) => event.preventDefault());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !hints.hidden) {
      hide(hints);
      event.preventDefault();
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
    const isOneLine = !input.value.includes('\n');
    if (isOneLine && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) recall(event, input);
  });
}

async function submit({ input, hints, thread }) {
  const text = input.value.trim();
  if (text === '') return;
  input.value = '';
  hide(hints);
  sent.push(text);
  recalled = sent.length;
  const outcome = await send('/page/type', { user: state.user, channel: state.channel, thread, text });
  // Slack's own words for a failed command appear in the channel; only a failure of this page needs a notice.
  if (outcome?.error && outcome.envelopeId === undefined) toast(outcome.error);
}

function recall(event, input) {
  const next = recalled + (event.key === 'ArrowUp' ? -1 : 1);
  if (next < 0 || next > sent.length) return;
  event.preventDefault();
  recalled = next;
  input.value = sent[recalled] ?? '';
}

function showHints({ input, hints, isThread }) {
  const offers = offersFor(input, isThread);
  reconcile(
    hints,
    offers.map(({ title, text }) => ({
      key: title,
      signature: text,
      create: () =>
        element('li', {}, element('button', { type: 'button', onclick: () => take({ input, hints, text }) }, title)),
    })),
  );
  hints.hidden = offers.length === 0;
}

/** Commands for what begins with a slash, people for a word that begins with @. */
function offersFor(input, isThread) {
  const typed = input.value;
  if (typed.startsWith('/') && !isThread) {
    const fitting = state.suggestions.filter((text) => text.startsWith(typed) && text !== typed);
    return fitting.map((text) => ({ title: text, text }));
  }
  const [, before, name] = /^(|[\s\S]*\s)@([\w.-]*)$/.exec(typed) ?? [];
  if (name === undefined) return [];
  const known = [...state.users.values()].filter((user) => user.name.startsWith(name.toLowerCase()));
  return known.map((user) => ({ title: `@${user.name}`, text: `${before}@${user.name} ` }));
}

function take({ input, hints, text }) {
  fill(input, text);
  hide(hints);
}

function fill(input, text) {
  input.value = text;
  input.focus();
}

function hide(hints) {
  hints.hidden = true;
}
