/** Who said something, and when. */
import { daysAgo } from './dates.js';
import { element } from './dom.js';
import { state } from './state.js';

export function authorOf(message) {
  if (message.source === 'slack') return { id: 'slack', name: 'Slackbot', kind: 'slackbot' };
  const id = message.source === undefined ? message.author : state.app.userId;
  return state.users.get(id) ?? { id, name: id, kind: 'member' };
}

/** A coloured square with the first letter; the hue comes from the id. */
export function avatar({ id, name, kind }) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const square = element('span', { class: `avatar ${kind}`, 'aria-hidden': 'true' }, name.slice(0, 1).toUpperCase());
  square.style.setProperty('--hue', String(hue));
  return square;
}

export function appAvatar() {
  const { userId, name } = state.app;
  return avatar({ id: userId, name, kind: 'bot' });
}

/** The time of a ts in the reader's own zone. `isShort`: without AM and PM, for the narrow place beside a message. */
export function time(ts, isShort = false) {
  const date = dateOf(ts);
  const full = date.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' });
  const text = isShort ? full.replace(/\s?[AP]M$/i, '') : full;
  return element('time', { datetime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** `Today`, `Yesterday`, or the date. */
export function dayOf(ts) {
  const date = dateOf(ts);
  const days = daysAgo(date);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return date.toLocaleDateString(undefined, { weekday: 'long', month: 'long', day: 'numeric' });
}

function dateOf(ts) {
  return new Date(Number(ts) * 1000);
}
