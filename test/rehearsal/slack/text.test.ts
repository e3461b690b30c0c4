import { expect, test } from 'vitest';
import { checkBlocks } from '../../../rehearsal/slack/blocks.ts';
import { toNamedText, toPlainText } from '../../../rehearsal/slack/text.ts';

const blocksOf = (...blocks: unknown[]) => {
  const verdict = checkBlocks(blocks, () => 'L1');
  if (verdict.kind === 'refused') throw new Error(verdict.details.join());
  return verdict.blocks;
};

test('a message reads as a person reads it', () => {
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
  const plain = (text: string) => ({ type: 'plain_text', text });
  const blocks = blocksOf(
    { type: 'header', text: plain('a < b & *c*') },
    {
      type: 'section',
      text: mrkdwn('*bold* `snake_case_name` and _it_, 2 * 3 * 4, &lt;tag&gt;\n<http://a.example|the log> <@U0ALICE>'),
    },
    { type: 'context', elements: [mrkdwn('since <!date^1700000000^{time}|22:13>'), plain('by alice')] },
    { type: 'divider' },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'Error: *x*\n<!channel>' }] }],
    },
    {
      type: 'actions',
      elements: [
        { type: 'button', text: plain('Stop') },
        { type: 'button', text: plain('Log') },
      ],
    },
  );
  expect(toPlainText({ text: 'unused', blocks })).toMatchInlineSnapshot(`
    "a < b & *c*
    bold snake_case_name and it, 2 * 3 * 4, <tag>
    the log (http://a.example) @U0ALICE
    since 22:13  by alice
    ---
        Error: *x*
        <!channel>
    [Stop] [Log]"
  `);
});

test('without blocks the text is read', () => {
  expect(toPlainText({ text: '*3* of 4 &amp; more', blocks: [] })).toBe('3 of 4 & more');
});

test('people are named by the lookup, and by their id where it knows none', () => {
  const text = '<@U0ALICE> <@U0BEN> <@U0EVE|eve> &lt;@U0ALICE&gt;';
  const blocks = blocksOf({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U0ALICE' }] }],
  });
  const nameOf = (id: string) => (id === 'U0ALICE' ? 'alice' : null);
  expect(toNamedText({ text, blocks: [] }, nameOf)).toBe('@alice @U0BEN eve <@U0ALICE>');
  expect(toNamedText({ text, blocks }, nameOf)).toBe('@alice');
});

test('a plan reads as a line a step, tables as rows, and boxes by what is in them', () => {
  const rich = (text: string) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  });
  const task = (title: string, status: string, details?: string) => ({
    type: 'task_card',
    task_id: title,
    title,
    status,
    ...(details !== undefined && { details: rich(details) }),
  });
  const blocks = blocksOf(
    {
      type: 'plan',
      title: 'Loading',
      tasks: [
        task('Checks', 'complete', '12 s'),
        task('Loading', 'in_progress', '34 %\n2 min left'),
        task('Ready', 'pending'),
        task('Lost', 'error'),
      ],
    },
    {
      type: 'table',
      rows: [
        [{ type: 'raw_text', text: 'host' }, rich('state')],
        [
          { type: 'raw_text', text: 'kpro5' },
          { type: 'raw_number', value: 1, text: '1' },
        ],
      ],
    },
    {
      type: 'container',
      title: { type: 'plain_text', text: 'More' },
      child_blocks: [{ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Log' } }] }],
    },
    { type: 'card', title: { type: 'mrkdwn', text: '*Run* 1' }, body: { type: 'mrkdwn', text: 'ready' } },
  );
  expect(toPlainText({ text: 'unused', blocks })).toMatchInlineSnapshot(`
    "Loading
    ✓ Checks: 12 s
    ◐ Loading
      34 %
      2 min left
    ○ Ready
    ✗ Lost
    host | state
    kpro5 | 1
    More
    [Log]
    Run 1
    ready"
  `);
});

test('a file is named with its size, below what was said', () => {
  const file = (text: string) => ({ id: 'F1', name: 'kpro5-1.log', title: 'The log', text });
  const said = { text: 'The log ends *here*.', blocks: [] };
  expect(toPlainText({ ...said, files: [file('x'.repeat(12_345))] })).toBe(
    'The log ends here.\n[file kpro5-1.log, 12 KB]',
  );
  expect(toPlainText({ text: '', blocks: [], files: [file('é')] })).toBe('[file kpro5-1.log, 2 bytes]');
});
