/** Slack's mrkdwn as DOM nodes. */
import { element } from './dom.js';
import { withEmoji } from './emoji.js';

/** Nodes for a mrkdwn text: code blocks, quotes, code spans, tokens in angle brackets, bold, italic, strike. */
export function renderMrkdwn(text, names) {
  return text.split(/(```[\s\S]*?```)/).flatMap((part) => {
    if (part.startsWith('```') && part.length >= 6)
      return [element('pre', {}, decode(unToken(part.slice(3, -3).replace(/^\n/, ''))))];
    return renderLines(part, names);
  });
}

/** A date in the reader's own zone; `format` holds words such as {date_short} and {time}. */
export function renderDate(seconds, format, fallback) {
  const date = new Date(seconds * 1000);
  const day = (options) => date.toLocaleDateString(undefined, options);
  const words = {
    date_num: date.toLocaleDateString('sv'),
    date: day({ dateStyle: 'long' }),
    date_short: day({ dateStyle: 'medium' }),
    date_long: day({ dateStyle: 'full' }),
    time: date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' }),
    time_secs: date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
  };
  const pretty = pretties(date);
  const text = format.replaceAll(/\{(\w+)\}/g, (_whole, word) => {
    const base = word.replace(/_pretty$/, '');
    return (word.endsWith('_pretty') ? pretty : undefined) ?? words[base] ?? fallback ?? word;
  });
  return element('time', { datetime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** "today" and "yesterday", which Slack says instead of a near date. */
function pretties(date) {
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86_400_000);
  return { 0: 'today', 1: 'yesterday', '-1': 'tomorrow' }[days];
}

function renderLines(text, names) {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (line.startsWith('&gt;')) return [element('blockquote', {}, ...renderInline(line.slice(4).trimStart(), names))];
    const isLast = at === lines.length - 1;
    return isLast ? renderInline(line, names) : [...renderInline(line, names), element('br')];
  });
}

const SPANS = [
  { pattern: /`([^`]+)`/, render: ([, body]) => element('code', {}, decode(unToken(body))) },
  { pattern: /<([^<>]+)>/, render: ([, body], names) => renderToken(body, names) },
  {
    pattern: /(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/,
    render: ([, body], names) => element('b', {}, ...renderInline(body, names)),
  },
  {
    pattern: /(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/,
    render: ([, body], names) => element('i', {}, ...renderInline(body, names)),
  },
  {
    pattern: /(?<![\w~])~(?=\S)([^~]+?)(?<=\S)~(?![\w~])/,
    render: ([, body], names) => element('s', {}, ...renderInline(body, names)),
  },
];

/** The span that begins first wins; of two that begin at one place, the earlier row. */
function renderInline(text, names) {
  let first = null;
  for (const span of SPANS) {
    const match = span.pattern.exec(text);
    if (match !== null && (first === null || match.index < first.match.index)) first = { span, match };
  }
  if (first === null) return text === '' ? [] : [withEmoji(decode(text))];
  const { span, match } = first;
  const rest = text.slice(match.index + match[0].length);
  return [...renderInline(text.slice(0, match.index), names), span.render(match, names), ...renderInline(rest, names)];
}

function renderToken(body, names) {
  const [target, label] = body.split('|', 2);
  const date = /^!date\^(\d+)\^([^^]+)/.exec(target);
  if (date !== null) return renderDate(Number(date[1]), date[2], label);
  if (target.startsWith('@')) return mention(`@${names.user(target.slice(1)) ?? label ?? target.slice(1)}`);
  if (target.startsWith('#')) return mention(`#${names.channel(target.slice(1)) ?? label ?? target.slice(1)}`);
  if (target.startsWith('!subteam^')) return mention(label ?? '@group');
  if (target.startsWith('!')) return mention(`@${target.slice(1)}`);
  return link(decode(target), label === undefined ? decode(target) : decode(label));
}

export function mention(text) {
  return element('span', { class: 'mention' }, text);
}

/** Only addresses that can't run anything become links. */
export function link(url, label) {
  if (!/^(https?:|mailto:)/i.test(url)) return document.createTextNode(label);
  return element('a', { href: url, target: '_blank', rel: 'noreferrer noopener' }, label);
}

/** Inside code a token is shown by its label, as Slack does. */
function unToken(text) {
  return text.replaceAll(/<([^<>|]+)(?:\|([^<>]*))?>/g, (_whole, target, label) => label ?? target);
}

function decode(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
