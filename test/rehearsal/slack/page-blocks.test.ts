import type { KnownBlock } from '@slack/types';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { idOf, openPageStage, PATIENCE, type PageStage, textsOf } from './page-stage.ts';

let stage: PageStage;
let clicks: unknown[] = [];

beforeAll(async () => {
  stage = await openPageStage({
    channels: ['tables', 'markdown', 'containers', 'images', 'others', 'rich', 'texts'],
    listen(app) {
      app.action({ type: 'block_actions' }, async ({ ack, action }) => {
        await ack();
        clicks.push(action.action_id);
      });
    },
  });
});
afterAll(() => stage?.stop());
afterEach(async () => {
  clicks = [];
  expect(await stage.closePages()).toEqual([]);
});

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });

async function show(channel: string, blocks: KnownBlock[]): Promise<{ page: Page; ts: string }> {
  const page = await stage.open(channel);
  const { ts = '' } = await stage.bolt.app.client.chat.postMessage({ channel: idOf(channel), text: 'x', blocks });
  await page.locator(`#messages [data-ts="${ts}"]`).waitFor();
  return { page, ts };
}

const rowsOf = (page: Page) =>
  page
    .locator('#messages tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => `${cell.tagName} ${cell.textContent}`)));

test('a table has a head, and a data_table shows a page of rows at a time', async () => {
  const rows = [['Run', 'Took'], ...['1', '2', '3', '4'].map((run) => [`kpro5-${run}`, `${run} min`])];
  const cells = rows.map((row) => row.map((text) => ({ type: 'raw_text' as const, text })));
  const { page } = await show('tables', [{ type: 'data_table', caption: 'Launches', page_size: 3, rows: cells }]);
  expect(await textsOf(page, '#messages caption')).toEqual(['Launches']);
  expect(await rowsOf(page)).toEqual([
    ['TH Run', 'TH Took'],
    ['TD kpro5-1', 'TD 1 min'],
    ['TD kpro5-2', 'TD 2 min'],
    ['TD kpro5-3', 'TD 3 min'],
  ]);
  await page.locator('#messages').getByRole('button', { name: 'Next' }).click();
  expect(await rowsOf(page)).toEqual([
    ['TH Run', 'TH Took'],
    ['TD kpro5-4', 'TD 4 min'],
  ]);
  expect(await page.locator('#messages').getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
});

test('markdown is drawn with its own marks, and nothing in it becomes markup of the page', async () => {
  const text =
    '# Fleet\n**ready** and *slow*, `x*y*z`\n- one\n- two\n\n```\n**raw** <b>x</b>\n```\n[bad](javascript:alert) <img src=x>';
  const { page } = await show('markdown', [{ type: 'markdown', text }]);
  const box = page.locator('#messages .markdown');
  expect(await box.locator('h3').allTextContents()).toEqual(['Fleet']);
  expect(await box.locator('b').allTextContents()).toEqual(['ready']);
  expect(await box.locator('i').allTextContents()).toEqual(['slow']);
  expect(await box.locator('li').allTextContents()).toEqual(['one', 'two']);
  expect(await box.locator('code').allTextContents()).toEqual(['x*y*z']);
  expect(await box.locator('pre').allTextContents()).toEqual(['**raw** <b>x</b>']);
  expect(await box.locator('a, img').count()).toBe(0);
});

test('a container begins folded where the app says so, and stays open through an edit', async () => {
  const blocks = (said: string): KnownBlock[] => [
    {
      type: 'container',
      title: plain('Details'),
      is_collapsible: true,
      default_collapsed: true,
      child_blocks: [{ type: 'section', text: mrkdwn(said) }],
    },
  ];
  const { page, ts } = await show('containers', blocks('18 checks passed'));
  const inside = page.locator('#messages .container .section');
  expect(await inside.isVisible()).toBe(false);
  await page.locator('#messages summary').click();
  expect(await inside.textContent()).toBe('18 checks passed');
  await stage.bolt.app.client.chat.update({ channel: idOf('containers'), ts, text: 'x', blocks: blocks('1 warns') });
  await page.locator('#messages').getByText('1 warns').waitFor();
  expect(await inside.isVisible()).toBe(true);
});

test('an image of the page’s own is drawn, one from elsewhere is told by its words and not fetched', async () => {
  const dot = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E";
  const { page } = await show('images', [
    { type: 'image', image_url: dot, alt_text: 'A dot', title: plain('Loss') },
    { type: 'image', image_url: 'https://example.com/loss.png', alt_text: 'Loss from 4.1 to 2.3' },
  ]);
  const images = page.locator('#messages img');
  expect(await images.evaluateAll((all) => all.map((image) => image.getAttribute('alt')))).toEqual(['A dot']);
  expect(await textsOf(page, '#messages figcaption')).toEqual(['Loss']);
  expect(await textsOf(page, '#messages .unsupported')).toEqual(['Image: Loss from 4.1 to 2.3']);
});

test('a block that the page does not draw leaves a grey box, never nothing', async () => {
  const { page } = await show('others', [
    { type: 'card', title: mrkdwn('A card') },
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'log', text: plain('Log') },
        { type: 'datepicker', action_id: 'day' },
      ],
    },
  ]);
  expect(await textsOf(page, '#messages .unsupported')).toEqual([
    'Unsupported block: card',
    'Unsupported block: datepicker',
  ]);
  await page.locator('#messages [data-action=log]').click();
  await expect.poll(() => clicks, PATIENCE).toEqual(['log']);
});

test('rich text keeps what its elements say: styles, lists, quotes, dates', async () => {
  const text = (words: string, style?: { bold?: boolean; code?: boolean }) => ({
    type: 'text' as const,
    text: words,
    ...(style && { style }),
  });
  const { page } = await show('rich', [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [text('*not bold* '), text('bold', { bold: true }), text('flag', { code: true })],
        },
        {
          type: 'rich_text_list',
          style: 'ordered',
          elements: [{ type: 'rich_text_section', elements: [text('first')] }],
        },
        { type: 'rich_text_quote', elements: [text('quoted')] },
        { type: 'rich_text_section', elements: [{ type: 'date', timestamp: 1_700_000_000, format: 'on {date_num}' }] },
      ],
    },
  ]);
  const box = page.locator('#messages .rich');
  expect(await box.locator('p').first().textContent()).toBe('*not bold* boldflag');
  expect(await box.locator('b').allTextContents()).toEqual(['bold']);
  expect(await box.locator('code').allTextContents()).toEqual(['flag']);
  expect(await box.locator('ol > li').allTextContents()).toEqual(['first']);
  expect(await box.locator('blockquote').allTextContents()).toEqual(['quoted']);
  expect(await box.locator('time').textContent()).toMatch(/^on 2023-11-1[45]$/);
});

test('lines that are quoted one after another stand in one quote, and a code block leaves no empty line', async () => {
  const { page } = await show('texts', [
    { type: 'section', text: mrkdwn('before\n&gt; one\n> two\nafter\n```\ncode\n```\nend') },
  ]);
  const section = page.locator('#messages .section');
  expect(await section.locator('blockquote').allInnerTexts()).toEqual(['one\ntwo']);
  expect(await section.locator('pre').allTextContents()).toEqual(['code']);
  expect(await section.allInnerTexts()).toEqual(['before\none\ntwo\nafter\ncode\nend']);
});
