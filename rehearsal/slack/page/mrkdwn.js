/** Slack's mrkdwn as DOM nodes. */
import { renderDate } from './dates.js';
import { element } from './dom.js';
import { link } from './links.js';
import { decode, renderSpans } from './spans.js';

/** Nodes for a mrkdwn text: code blocks, quotes, code spans, tokens in angle brackets, bold, italic, strike. */
export function renderMrkdwn(text, names) {
  const parts = text.split(/(```[\s\S]*?```)/);
  return parts.flatMap((part, at) => {
    // The odd parts are the code blocks; the line breaks beside one belong to it.
    if (at % 2 === 1) return [element('pre', {}, decode(unToken(part.slice(3, -3).replace(/^\n|\n$/g, ''))))];
    const begun = at === 0 ? part : part.replace(/^\n/, '');
    return renderLines(at === parts.length - 1 ? begun : begun.replace(/\n$/, ''), spansOf(names));
  });
}

/** A mrkdwn text as notifications have it: without marks, people by their names. */
export function plainText(text, names) {
  const holder = element('div', {}, ...renderMrkdwn(text, names));
  for (const line of holder.querySelectorAll('br')) line.replaceWith('\n');
  for (const box of holder.querySelectorAll('pre, blockquote')) {
    if (box.previousSibling !== null) box.before('\n');
    if (box.nextSibling !== null) box.after('\n');
  }
  return holder.textContent;
}

const QUOTE = /^(?:&gt;|>) ?/;

/** Lines that are quoted one after another stand in one quote. */
function renderLines(text, spans) {
  const nodes = [];
  let quote = null;
  const lines = text.split('\n');
  lines.forEach((line, at) => {
    const next = lines[at + 1];
    const breaks = next !== undefined && !QUOTE.test(next);
    if (QUOTE.test(line)) {
      if (quote !== null) quote.append(element('br'));
      quote ??= element('blockquote');
      if (nodes.at(-1) !== quote) nodes.push(quote);
      quote.append(...renderSpans(line.replace(QUOTE, ''), spans));
      return;
    }
    quote = null;
    nodes.push(...renderSpans(line, spans), ...(breaks ? [element('br')] : []));
  });
  return nodes;
}

function spansOf(names) {
  return [
    { pattern: /`([^`]+)`/, render: ([, body]) => element('code', {}, decode(unToken(body))) },
    { pattern: /<([^<>]+)>/, render: ([, body]) => renderToken(body, names) },
    {
      pattern: /(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/,
      render: ([, body], inner) => element('b', {}, ...inner(body)),
    },
    {
      pattern: /(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/,
      render: ([, body], inner) => element('i', {}, ...inner(body)),
    },
    {
      pattern: /(?<![\w~])~(?=\S)([^~]+?)(?<=\S)~(?![\w~])/,
      render: ([, body], inner) => element('s', {}, ...inner(body)),
    },
  ];
}

/** What stands in angle brackets: a date, a mention, a link. */
export function renderToken(body, names) {
  const [target, label] = body.split('|', 2);
  const date = /^!date\^(\d+)\^([^^]+)(?:\^(.+))?/.exec(target);
  if (date !== null) return renderDate({ seconds: Number(date[1]), format: date[2], url: date[3], fallback: label });
  if (target.startsWith('@')) return mentionOf(target.slice(1), names, label);
  if (target.startsWith('#')) return mention(`#${names.channel(target.slice(1)) ?? label ?? target.slice(1)}`);
  if (target.startsWith('!subteam^')) return groupMention(target.slice('!subteam^'.length), names, label);
  if (target.startsWith('!')) return mention(`@${target.slice(1)}`, true);
  return link(decode(target), label === undefined ? decode(target) : decode(label));
}

/** A person by name; the reader stands out. */
export function mentionOf(id, names, label) {
  return mention(`@${names.user(id) ?? label ?? id}`, names.isMe(id));
}

export function groupMention(id, names, label) {
  const handle = names.group(id);
  return mention(handle === undefined ? (label ?? '@group') : `@${handle}`);
}

export function mention(text, isForReader = false) {
  return element('span', { class: isForReader ? 'mention me' : 'mention' }, text);
}

/** Inside code a token is shown by its label, as Slack does. */
function unToken(text) {
  return text.replaceAll(/<([^<>|]+)(?:\|([^<>]*))?>/g, (_whole, target, label) => label ?? target);
}
