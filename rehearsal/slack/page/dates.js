/** Dates in the reader's own zone. */
import { element } from './dom.js';
import { link } from './links.js';

/** `format` holds words such as {date_short} and {time}; a date may be a link. */
export function renderDate({ seconds, format, url, fallback }) {
  const date = new Date(seconds * 1000);
  const words = wordsOf(date);
  const text = format.replaceAll(/\{(\w+)\}/g, (_whole, word) => {
    const near = word.endsWith('_pretty') ? nearDay(date) : undefined;
    return near ?? words[word.replace(/_pretty$/, '')] ?? fallback ?? word;
  });
  const time = element('time', { datetime: date.toISOString(), title: date.toLocaleString() }, text);
  return url ? link(url, time) : time;
}

function wordsOf(date) {
  const day = (options) => date.toLocaleDateString(undefined, options);
  const time = (options) => date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', ...options });
  return {
    date_num: date.toLocaleDateString('sv'),
    date_slash: date.toLocaleDateString('sv').replaceAll('-', '/'),
    date: day({ dateStyle: 'long' }),
    date_short: day({ dateStyle: 'medium' }),
    date_long: day({ dateStyle: 'full' }),
    day_divider: day({ weekday: 'long', month: 'long', day: 'numeric' }),
    time: time({}),
    time_secs: time({ second: '2-digit' }),
    ago: agoWords((Date.now() - date.getTime()) / 1000),
  };
}

/** "today" and "yesterday", which Slack says instead of a near date. */
function nearDay(date) {
  return { 0: 'today', 1: 'yesterday', '-1': 'tomorrow' }[daysAgo(date)];
}

/** Midnights between a date and now, in the reader's zone. */
export function daysAgo(date) {
  const midnight = (day) => new Date(day).setHours(0, 0, 0, 0);
  return Math.round((midnight(Date.now()) - midnight(date)) / 86_400_000);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function agoWords(seconds) {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(-Math.round(seconds / size), unit);
}
