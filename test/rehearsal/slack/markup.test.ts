import { expect, test } from 'vitest';
import type { Block } from '../../../rehearsal/slack/block-kit.ts';
import { checkBlocks } from '../../../rehearsal/slack/blocks.ts';
import { findMarkup } from '../../../rehearsal/slack/markup.ts';

const blocksOf = (...blocks: unknown[]): readonly Block[] => {
  const verdict = checkBlocks(blocks, () => 'L1');
  if (verdict.kind === 'refused') throw new Error(verdict.details.join());
  return verdict.blocks;
};
const section = (text: string, verbatim?: boolean) => ({
  type: 'section',
  text: { type: 'mrkdwn', text, ...(verbatim !== undefined && { verbatim }) },
});
const preformatted = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
});
const kinds = (text: string, ...blocks: unknown[]) =>
  findMarkup({ text, blocks: blocksOf(...blocks) }).mentions.map(({ kind, id }) => kind + id);

test.each([
  ['<!channel> <!here|here> <!everyone>', ['channel', 'here', 'everyone']],
  ['<@U0ALICE> <@U0ALICE|alice> <!subteam^S1|@ops>', ['userU0ALICE', 'userU0ALICE', 'groupS1']],
  ['&lt;!channel&gt; @channel <!date^1^{time}|then>', []],
])('mentions in text %s', (text, expected) => {
  expect(kinds(text)).toEqual(expected);
});

test('mrkdwn counts markup even in code, and plain @here unless verbatim', () => {
  expect(kinds('', section('`<!channel>` and @here'))).toEqual(['channel', 'here']);
  expect(kinds('', section('@here', true))).toEqual([]);
});

test('plain text, rich text and preformatted log text are dead', () => {
  const log = '<!channel> <@U0ALICE> @here <http://evil.example|click>';
  const header = { type: 'header', text: { type: 'plain_text', text: log } };
  expect(findMarkup({ text: '', blocks: blocksOf(header, preformatted(log)) })).toEqual({ mentions: [], links: [] });
});

test('rich text elements made for mentions and links count', () => {
  const elements = [
    { type: 'user', user_id: 'U0ALICE' },
    { type: 'broadcast', range: 'here' },
    { type: 'link', url: 'http://a.example', text: 'a' },
  ];
  const block = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
  expect(findMarkup({ text: '<http://b.example|b>', blocks: blocksOf(block) })).toEqual({
    mentions: [
      { kind: 'user', id: 'U0ALICE', where: 'blocks' },
      { kind: 'here', id: '', where: 'blocks' },
    ],
    links: [
      { url: 'http://b.example', label: 'b' },
      { url: 'http://a.example', label: 'a' },
    ],
  });
});
