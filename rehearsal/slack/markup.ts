/** Which mentions and links a message would really carry: what tests look at to see that log text is dead. */
import type { Content, Link, Mention } from './records.ts';

export interface Markup {
  readonly mentions: readonly Mention[];
  readonly links: readonly Link[];
}

/**
 * Every live mention and link of a message. Markup lives in the top-level text, in mrkdwn objects (a code span doesn't
 * kill it), in markdown blocks and in rich_text elements made for it; never in plain_text or in rich_text's text elements.
 */
export function findMarkup(content: Content): Markup {
  const mentions: Mention[] = [];
  const links: Link[] = [];
  const found: Found = {
    mention: (kind, id, where) => mentions.push({ kind, id, where }),
    link: (url, label) => links.push({ url, label }),
  };
  scan(content.text, 'text', found);
  walk(content.blocks, found);
  return { mentions, links };
}

interface Found {
  mention(kind: Mention['kind'], id: string, where: Mention['where']): unknown;
  link(url: string, label: string | null): unknown;
}

function walk(node: unknown, found: Found): void {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const fields: Record<string, unknown> = { ...node };
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  switch (fields.type) {
    case 'mrkdwn':
      scan(text('text'), 'blocks', found);
      // Slack parses plain @here and the like in mrkdwn objects unless they are verbatim.
      if (fields.verbatim !== true) scanBare(text('text'), found);
      return;
    case 'markdown':
      scan(text('text'), 'blocks', found);
      return;
    case 'user':
      found.mention('user', text('user_id'), 'blocks');
      return;
    case 'usergroup':
      found.mention('group', text('usergroup_id'), 'blocks');
      return;
    case 'broadcast':
      found.mention(broadcast(text('range')) ?? 'channel', '', 'blocks');
      return;
    case 'link':
      found.link(text('url'), text('text') || null);
      return;
    default:
      for (const child of Object.values(fields)) walk(child, found);
  }
}

const TOKEN = /<(?<body>[^<>]+)>/g;
const BARE = /(?<![\w<!@])@(?<range>here|channel|everyone)\b/g;

function scan(text: string, where: Mention['where'], found: Found): void {
  for (const match of text.matchAll(TOKEN)) {
    const body = match.groups?.body ?? '';
    const [target = '', label] = body.split('|');
    const range = broadcast(target.slice(1));
    if (/^@[UW]/.test(target)) found.mention('user', target.slice(1), where);
    else if (target.startsWith('!subteam^')) found.mention('group', target.slice('!subteam^'.length), where);
    else if (target.startsWith('!') && range !== null) found.mention(range, '', where);
    else if (/^(https?|mailto|tel):/.test(target)) found.link(target, label ?? null);
  }
}

function scanBare(text: string, found: Found): void {
  for (const match of text.matchAll(BARE)) {
    const range = broadcast(match.groups?.range ?? '');
    if (range !== null) found.mention(range, '', 'blocks');
  }
}

function broadcast(word: string): 'here' | 'channel' | 'everyone' | null {
  return word === 'here' || word === 'channel' || word === 'everyone' ? word : null;
}
