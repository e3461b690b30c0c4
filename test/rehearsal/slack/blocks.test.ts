import { expect, test } from 'vitest';
import { checkBlocks } from '../../../rehearsal/slack/blocks.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const button = (fields: object) => ({ type: 'button', text: plain('Go'), ...fields });
const richText = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
};
const task = (fields: object) => ({ type: 'task_card', task_id: '1', title: 'Loading', status: 'pending', ...fields });
const table = (rows: number, columns: number) => ({
  type: 'table',
  rows: Array(rows).fill(Array(columns).fill({ type: 'raw_text', text: 'x' })),
});
const container = (blocks: object[]) => ({ type: 'container', title: plain('x'), child_blocks: blocks });
const iconButton = { type: 'icon_button', icon: 'trash', text: plain('x') };
const card = { type: 'card', title: { type: 'mrkdwn', text: 'x' } };
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
  ['a plan without a title', [{ type: 'plan', tasks: [] }], '/blocks/0'],
  ['a plan title with marks', [{ type: 'plan', title: plain('x') }], '/blocks/0/title'],
  ['a task without an id', [{ type: 'plan', title: 'x', tasks: [task({ task_id: undefined })] }], '/blocks/0/tasks/0'],
  ['an unknown state', [{ type: 'plan', title: 'x', tasks: [task({ status: 'done' })] }], '/blocks/0/tasks/0/status'],
  ['plain details', [{ type: 'plan', title: 'x', tasks: [task({ details: 'x' })] }], '/blocks/0/tasks/0/details'],
  ['a table of 101 rows', [table(101, 1)], '/blocks/0/rows'],
  ['a table of 21 columns', [table(1, 21)], '/blocks/0/rows/0'],
  ['a cell with mrkdwn', [{ type: 'table', rows: [[{ type: 'mrkdwn', text: 'x' }]] }], '/blocks/0/rows/0/0/type'],
  ['an empty cell', [{ type: 'table', rows: [[{ type: 'raw_text', text: '' }]] }], '/blocks/0/rows/0/0/text'],
  ['a sorted table without a caption', [{ ...table(1, 1), type: 'data_table' }], '/blocks/0'],
  ['11 blocks in a container', [container(Array(11).fill({ type: 'divider' }))], '/blocks/0/child_blocks'],
  ['a plan in a container', [container([{ type: 'plan', title: 'x' }])], '/blocks/0/child_blocks/0/type'],
  ['a container without a title', [{ ...container([{ type: 'divider' }]), title: undefined }], '/blocks/0'],
  ['6 small actions', [{ type: 'context_actions', elements: Array(6).fill(iconButton) }], '/blocks/0/elements'],
  ['a card body over 200', [{ type: 'card', body: { type: 'mrkdwn', text: 'x'.repeat(201) } }], '/blocks/0/body/text'],
  ['11 cards', [{ type: 'carousel', elements: Array(11).fill(card) }], '/blocks/0/elements'],
  ['an image without a source', [{ type: 'image', alt_text: 'x' }], '/blocks/0'],
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

test('what messages may hold is taken', () => {
  const blocks = [
    {
      type: 'plan',
      title: 'Phases',
      tasks: [task({ details: richText, output: richText }), task({ status: 'error' })],
    },
    task({ status: 'in_progress', sources: [{ type: 'url', url: 'http://a.example', text: 'log' }] }),
    { ...table(100, 20), column_settings: [null, { align: 'right', is_wrapped: true }] },
    {
      type: 'data_table',
      caption: 'Runs',
      page_size: 10,
      rows: [[{ type: 'raw_number', value: 1, text: '1' }, richText]],
    },
    { ...container([{ type: 'divider' }, richText]), is_collapsible: true, default_collapsed: true },
    { type: 'context_actions', elements: Array(5).fill(iconButton) },
    { type: 'carousel', elements: [card] },
    { type: 'markdown', text: '**x**' },
  ];
  expect(check(blocks)).toMatchObject({ kind: 'taken' });
});

test('tables together hold 10,000 characters, and markdown 12,000', () => {
  const wide = (length: number) => ({ type: 'table', rows: [[{ type: 'raw_text', text: 'x'.repeat(length) }]] });
  expect(check([wide(5000), wide(5000)])).toMatchObject({ kind: 'taken' });
  expect(check([wide(5000), wide(5001)])).toMatchObject({ error: 'invalid_blocks' });
  const markdown = (length: number) => ({ type: 'markdown', text: 'x'.repeat(length) });
  expect(check([markdown(6000), markdown(6001)])).toMatchObject({ error: 'invalid_blocks' });
});
