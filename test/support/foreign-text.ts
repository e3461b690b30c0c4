/** Text of others that tries everything, and what of it would take effect in a message. */

import fc from 'fast-check';
import { z } from 'zod';
import { block } from '../../rehearsal/slack/block-kit.ts';
import { findMarkup } from '../../rehearsal/slack/markup.ts';
import type { Message } from '../../src/chat.ts';
import { spansOf } from './mrkdwn.ts';
import { parsedTexts, shownTexts } from './slack-texts.ts';

/** Each with marks of its own around what can be found again: nothing of ours stands in such brackets. */
const PARTS = [
  ...['*⟦b⟧*', '_⟦i⟧_', '~⟦s⟧~', '`⟦c⟧`', '```⟦p⟧```', '*⟦', '⟧*', '_⟦', '⟧_', '`', '```', '*', '_', '~', '⟦', '⟧'],
  ...[
    '\n> ⟦q⟧',
    '\n>>> ⟦q⟧',
    '&gt; ⟦q⟧',
    '\n&gt; ⟦q⟧',
    ':evil_smile:',
    ':+1:',
    '::',
    ':evil',
    'evil:',
    '\n• ⟦',
    '\n1. ',
  ],
  ...['<!channel>', '<!here|here>', '<!everyone>', '<@U0EVE>', '<@W0EVE|eve>', '<!subteam^S0EVE>', '<#C0EVE>', '@here'],
  ...[
    '@channel',
    '@everyone',
    '<https://evil.example|safe>',
    '<https://evil.example>',
    'https://evil.example',
    '<',
    '>',
  ],
  ...[
    '<!date^1^{date}^https://evil.example|x>',
    '<mailto:eve@evil.example|x>',
    '&lt;!channel&gt;',
    '&amp;lt;',
    '&',
    '|',
  ],
  ...[
    '\u202e',
    '\u2066',
    '\u200b',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u0000',
    '\u0007',
    '\r',
    '\u2028',
    '\u061c',
    '\u{e0041}',
  ],
  ...[
    '\u001b[31m',
    '\u001b]8;;https://evil.example\u0007',
    '\ud83d',
    '\ude00',
    '😀',
    '👩‍👩‍👧',
    '🇩🇪',
    'e\u0301',
    ' ',
    '\n',
  ],
  ...[`Z${'\u0336\u0330'.repeat(30)}`, 'w'.repeat(400), 'word', '2*3*4', 'a_b_c', '__init__.py', '~/logs', '10:20:30'],
];
export const foreign = fc
  .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 })
  .map((parts) => `x ${parts.join('')} x`);

/** Tokens of ours: who asked, times, links to Slack's own messages and to documentation of ours. */
const OURS =
  /^(?:@U0ALICE|!date\^\d{1,15}\^[^|<>^]{1,80}\|[^<>]{1,80}|#C[A-Z0-9]+|https:\/\/(?:(?:ops|example)\.slack\.com|docs\.vllm\.ai|huggingface\.co|pytorch\.org|github\.com)\/[^|<>]*(?:\|[^<>]*)?)$/;
const UNSEEN =
  /(?![\t\n\u2060])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2061-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

/** Everything that is wrong with a message, in words. */
export function faults(message: Message): string[] {
  const blocks = z.array(block).safeParse(message.blocks);
  const { mentions, links } = findMarkup({ text: message.text, blocks: blocks.data ?? [] });
  const shown = [message.text, ...shownTexts(message.blocks).map(({ text }) => text)];
  return [
    ...mentions.filter(({ id }) => id !== 'U0ALICE').map(({ id }) => `a mention of ${id}`),
    ...links.filter(({ url }) => url.includes('evil')).map(({ url }) => `a link to ${url}`),
    ...parsedTexts(message).flatMap(formatFaults),
    ...shown.flatMap((text) => [
      ...(UNSEEN.test(text) ? ['a character that acts unseen'] : []),
      ...(/\p{Cs}/u.test(text) ? ['half a surrogate pair'] : []),
      ...(/\p{M}{5}/u.test(text) ? ['a heap of accents'] : []),
    ]),
    ...limits(message),
    ...(blocks.success ? [] : [`blocks that Slack refuses: ${blocks.error.message}`]),
  ];
}

function formatFaults(text: string): string[] {
  return [
    ...spansOf(text).flatMap(({ kind, inside }) => {
      if (kind === 'token') return OURS.test(inside) ? [] : [`a token that is not ours: '${inside}'`];
      // Our sentences carry names in back quotes: a pair of others' makes code as well, in which nothing lives.
      if (kind === 'code') return [];
      if (kind === 'emoji' || kind === 'quote' || kind === 'block') return [`${kind}: '${inside}'`];
      return inside.startsWith('⟦') || inside.endsWith('⟧') ? [`${kind} of others: '${inside}'`] : [];
    }),
    ...(/&(?!(?:amp|lt|gt);)/.test(text) ? ['half an entity'] : []),
    ...(/[<>]/.test(text.replaceAll(/<[^<>]+>/g, '')) ? ['half a token'] : []),
  ];
}

/** Each broken limit of Slack's, in words. */
function limits(message: Message): string[] {
  const all = shownTexts(message.blocks).map(({ text }) => text);
  return [
    message.text.length > 4000 || message.text === '' ? 'text' : null,
    message.blocks.length > 50 ? 'blocks' : null,
    all.some((text) => text.length > 3000) ? 'a text over 3,000' : null,
    all.some((text) => text.length === 0) ? 'an empty text' : null,
    all.reduce((sum, text) => sum + text.length, 0) > 13_000 ? 'all text over 13,000' : null,
  ].filter((words) => words !== null);
}
