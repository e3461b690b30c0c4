import { expect, test } from 'vitest';
import { checkBlocks } from '../../../rehearsal/slack/blocks.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const button = (fields: object) => ({ type: 'button', text: plain('Go'), ...fields });
const check = (blocks: unknown) => checkBlocks(blocks, () => 'L1');

test.each([
  [
    'a section text over 3,000',
    [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }],
    '/blocks/0/text/text',
  ],
  ['an empty section text', [{ type: 'section', text: { type: 'mrkdwn', text: '' } }], '/blocks/0/text/text'],
  ['a section without text and fields', [{ type: 'section' }], '/blocks/0'],
  ['a header over 150', [{ type: 'header', text: plain('x'.repeat(151)) }], '/blocks/0/text/text'],
  ['a header with mrkdwn', [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }], '/blocks/0/text/type'],
  ['51 blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), '/blocks'],
  ['26 buttons', [{ type: 'actions', elements: Array.from({ length: 26 }, () => button({})) }], '/blocks/0/elements'],
  [
    '11 context elements',
    [{ type: 'context', elements: Array.from({ length: 11 }, () => plain('x')) }],
    '/blocks/0/elements',
  ],
  [
    'a button label over 75',
    [{ type: 'actions', elements: [button({ text: plain('x'.repeat(76)) })] }],
    '/blocks/0/elements/0/text/text',
  ],
  [
    'a button value over 2,000',
    [{ type: 'actions', elements: [button({ value: 'x'.repeat(2001) })] }],
    '/blocks/0/elements/0/value',
  ],
  ['an unknown style', [{ type: 'actions', elements: [button({ style: 'warning' })] }], '/blocks/0/elements/0/style'],
  [
    'a repeated action_id',
    [{ type: 'actions', elements: [button({ action_id: 'a' }), button({ action_id: 'a' })] }],
    '/blocks/0/elements',
  ],
  ['an alert block in a message', [{ type: 'alert', text: plain('x') }], '/blocks/0/type'],
  ['an unknown field', [{ type: 'divider', colour: 'red' }], '/blocks/0'],
  [
    'an empty text in rich text',
    [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }] }],
    '/blocks/0/elements/0/elements/0/text',
  ],
])('%s is refused with a pointer to it', (_what, blocks, pointer) => {
  const verdict = check(blocks);
  expect(verdict).toMatchObject({ kind: 'refused', error: 'invalid_blocks' });
  expect(verdict.kind === 'refused' && verdict.details[0]).toContain(`[json-pointer:${pointer}]`);
});

test('much text in many blocks is too long as a whole', () => {
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(2900) } };
  expect(check(Array.from({ length: 5 }, () => section))).toMatchObject({ error: 'msg_blocks_too_long' });
});

test('blocks and buttons without a name get one', () => {
  expect(check([{ type: 'actions', elements: [button({})] }])).toMatchObject({
    blocks: [{ block_id: 'L1', elements: [{ action_id: 'L1' }] }],
  });
});
