/** Standard markdown, as the `markdown` block takes it, as DOM nodes. Slack's tokens in angle brackets are understood as well. */
import { element } from './dom.js';
import { link } from './links.js';
import { renderToken } from './mrkdwn.js';
import { decode, renderSpans } from './spans.js';
import { tableOf } from './tables.js';

export function renderMarkdown(text, names) {
  const inline = (part) => renderSpans(part, spansOf(names));
  const lines = text.split('\n');
  const nodes = [];
  while (lines.length > 0) {
    const kind = KINDS.find(({ starts }) => starts.test(lines[0]));
    nodes.push(...(kind === undefined ? takeParagraph(lines, inline) : kind.take(lines, inline)));
  }
  return nodes;
}

const FENCE = /^\s{0,3}```/;
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^\s{0,3}(?:>|&gt;) ?/;
const ROW = /^\s*\|.*\|\s*$/;

/** What a block begins with, and how it takes its lines from the front. */
const KINDS = [
  {
    starts: FENCE,
    take(lines) {
      lines.shift();
      const body = takeWhile(lines, (line) => !FENCE.test(line));
      lines.shift();
      return [element('pre', {}, decode(body.join('\n')))];
    },
  },
  {
    starts: /^#{1,6}\s/,
    take(lines, inline) {
      const [, marks, title] = /^(#{1,6})\s+(.*)$/.exec(lines.shift()) ?? [];
      return [element(marks?.length === 1 ? 'h3' : 'h4', {}, ...inline(title ?? ''))];
    },
  },
  {
    starts: /^\s{0,3}(?:---+|\*\*\*+|___+)\s*$/,
    take(lines) {
      lines.shift();
      return [element('hr')];
    },
  },
  {
    starts: QUOTE,
    take(lines, inline) {
      const body = takeWhile(lines, (line) => QUOTE.test(line)).map((line) => line.replace(QUOTE, ''));
      return [element('blockquote', {}, ...brokenLines(body, inline))];
    },
  },
  {
    starts: ITEM,
    take(lines, inline) {
      const [, number] = ITEM.exec(lines[0]) ?? [];
      const items = takeWhile(lines, (line) => ITEM.test(line)).map((line) => ITEM.exec(line)?.[2] ?? '');
      const nodes = items.map((item) =>
        element('li', {}, ...inline(item.replace(/^\[ \] /, '☐ ').replace(/^\[x\] /i, '☑ '))),
      );
      return [number === undefined ? element('ul', {}, ...nodes) : element('ol', { start: number }, ...nodes)];
    },
  },
  {
    starts: ROW,
    take(lines, inline) {
      const rows = takeWhile(lines, (line) => ROW.test(line)).filter((line) => !/^[\s|:-]+$/.test(line));
      const cells = rows.map((line) =>
        line
          .trim()
          .slice(1, -1)
          .split('|')
          .map((cell) => inline(cell.trim())),
      );
      return [tableOf({ rows: cells })];
    },
  },
  {
    starts: /^\s*$/,
    take(lines) {
      lines.shift();
      return [];
    },
  },
];

function takeParagraph(lines, inline) {
  const body = takeWhile(lines, (line, at) => at === 0 || KINDS.every(({ starts }) => !starts.test(line)));
  return [element('p', {}, ...brokenLines(body, inline))];
}

function takeWhile(lines, holds) {
  const end = lines.findIndex((line, at) => !holds(line, at));
  return lines.splice(0, end === -1 ? lines.length : end);
}

function brokenLines(lines, inline) {
  return lines.flatMap((line, at) => (at === 0 ? inline(line) : [element('br'), ...inline(line)]));
}

function spansOf(names) {
  const wrap =
    (tag) =>
    ([, body], inner) =>
      element(tag, {}, ...inner(body));
  return [
    { pattern: /`([^`]+)`/, render: ([, body]) => element('code', {}, decode(body)) },
    { pattern: /!?\[([^\]]*)\]\(([^()\s]+)\)/, render: ([, label, url]) => link(url, label || url) },
    { pattern: /<([^<>]+)>/, render: ([, body]) => renderToken(body, names) },
    { pattern: /\*\*(?=\S)([^*]+?)(?<=\S)\*\*/, render: wrap('b') },
    { pattern: /__(?=\S)([^_]+?)(?<=\S)__/, render: wrap('b') },
    { pattern: /~~(?=\S)([^~]+?)(?<=\S)~~/, render: wrap('s') },
    { pattern: /(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/, render: wrap('i') },
    { pattern: /(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/, render: wrap('i') },
  ];
}
