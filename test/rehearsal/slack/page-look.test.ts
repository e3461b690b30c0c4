import type { View } from '@slack/types';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { faintTexts } from '../../support/contrast.ts';
import { idOf, openPageStage, PATIENCE, type PageStage, PHONE, textsOf } from './page-stage.ts';

const WORD = 'gpu-memory-utilization'.repeat(8);
const LOG = Array.from({ length: 30 }, (_, line) => `(Worker_TP0 pid=22262) line ${line} ${'x'.repeat(100)}`);
let stage: PageStage;
const clicks: string[] = [];
const submissions: unknown[] = [];

beforeAll(async () => {
  stage = await openPageStage({
    channels: ['cards', 'threads', 'narrow', 'confirm', 'modal', 'files', 'colours', 'preview'],
    listen(app) {
      app.command('/vllm', async ({ ack, client, command }) => {
        await ack();
        await client.views.open({ trigger_id: command.trigger_id, view: launchView(null) });
      });
      app.action('host', async ({ ack, body, client }) => {
        await ack();
        const id = body.type === 'block_actions' ? (body.view?.id ?? '') : '';
        await client.views.update({ view_id: id, view: launchView('kpro5') });
      });
      app.view('launch', async ({ ack, view }) => {
        submissions.push(view.state.values);
        if (submissions.length > 1) return ack();
        await ack({ response_action: 'errors', errors: { recipe: 'dflash needs 4 GPUs; kpro5 has 2.' } });
      });
      app.action('stop', async ({ ack, body }) => {
        await ack();
        clicks.push(body.user.id);
      });
    },
  });
});
afterAll(() => stage?.stop());
afterEach(async () => {
  expect(await stage.closePages()).toEqual([]);
});

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });
const option = (text: string) => ({ text: plain(text), value: text });
const words = (text: string) => ({
  type: 'rich_text' as const,
  elements: [{ type: 'rich_text_section' as const, elements: [{ type: 'text' as const, text }] }],
});

function step(title: string, status: 'pending' | 'in_progress' | 'complete' | 'error') {
  return { type: 'task_card' as const, task_id: title, title, status, details: words(`About ${title}`) };
}

function card() {
  const steps = [step('Checks', 'complete'), step('Loading', 'in_progress'), step('Compiling', 'pending')];
  const confirm = {
    title: plain('Stop kpro5-1?'),
    text: plain('Its requests end.'),
    confirm: plain('Stop it'),
    deny: plain('Keep it'),
    style: 'danger' as const,
  };
  return [
    { type: 'section' as const, text: mrkdwn('*Loading*: dflash on `kpro5`, asked by <@U0ALICE>') },
    { type: 'plan' as const, title: 'Launch', tasks: [...steps, step('Verifying', 'error')] },
    { type: 'context' as const, elements: [mrkdwn('about 2 min left')] },
    {
      type: 'actions' as const,
      elements: [
        { type: 'button' as const, action_id: 'queue', style: 'primary' as const, text: plain('Queue') },
        { type: 'button' as const, action_id: 'stop', style: 'danger' as const, text: plain('Stop'), confirm },
      ],
    },
  ];
}

/** Once a host is chosen it tells what would happen there. */
function launchView(host: string | null): View {
  const hosts = [
    { label: plain('Free'), options: [option('kpro5')] },
    { label: plain('Busy'), options: [option('a100')] },
  ];
  return {
    type: 'modal',
    callback_id: 'launch',
    title: plain('Launch a server'),
    submit: plain('Launch'),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: 'host',
        dispatch_action: true,
        label: plain('Host'),
        hint: plain('Only hosts that you may use.'),
        element: { type: 'static_select', action_id: 'host', option_groups: hosts },
      },
      {
        type: 'input',
        block_id: 'recipe',
        label: plain('Recipe'),
        element: { type: 'static_select', action_id: 'recipe', options: [option('dflash'), option('qwen')] },
      },
      {
        type: 'input',
        block_id: 'queue',
        optional: true,
        label: plain('If it is busy'),
        element: { type: 'checkboxes', action_id: 'queue', options: [option('Queue'), option('Replace')] },
      },
      {
        type: 'section',
        block_id: 'dry',
        text: mrkdwn(host === null ? 'Choose a host.' : `All checks pass on *${host}*.`),
      },
    ],
  };
}

async function post(channel: string, message: { text: string; blocks?: ReturnType<typeof card>; thread_ts?: string }) {
  const { ts = '' } = await stage.bolt.app.client.chat.postMessage({ channel: idOf(channel), ...message });
  return ts;
}

const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name);
const isSeen = (page: Page, id: string): Promise<boolean> => page.locator(`#${id}`).isVisible();

test('a card shows its sender, its steps by their state, small print in grey, and green and red buttons', async () => {
  const page = await stage.open('cards');
  await post('cards', { text: 'Loading: dflash on kpro5 (kpro5-1).', blocks: card() });
  const message = page.getByRole('article', { name: 'vigil: Loading: dflash on kpro5 (kpro5-1).' });
  await message.first().waitFor();
  expect(await textsOf(page, '#messages .badge')).toEqual(['APP']);
  const signs = page.locator('#messages .sign');
  expect(await signs.evaluateAll((all) => all.map((sign) => sign.getAttribute('aria-label')))).toEqual([
    'Complete',
    'In progress',
    'Pending',
    'Error',
  ]);
  expect(await textsOf(page, '#messages .task-details')).toContain('About Loading');
  expect(await styleOf(page, '#messages .context', 'color')).toBe('rgb(97, 96, 97)');
  expect(await styleOf(page, '#messages .primary', 'background-color')).toBe('rgb(0, 122, 90)');
  expect(await styleOf(page, '#messages .danger', 'background-color')).toBe('rgb(209, 20, 76)');
  expect(await textsOf(page, '#messages .mention.me')).toEqual(['@alice']);
});

test('on a phone a thread fills the screen, and its arrow leads back', async () => {
  const page = await stage.open('threads', PHONE);
  const root = await post('threads', { text: 'The card.' });
  await page.locator(`#messages [data-ts="${root}"] .body`).tap();
  expect(await page.locator('#thread').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await post('threads', { text: 'Checks passed.', thread_ts: root });
  await expect.poll(() => textsOf(page, '#replies .body'), PATIENCE).toEqual(['The card.', 'Checks passed.']);
  expect(await isSeen(page, 'channel')).toBe(false);
  await page.getByRole('button', { name: 'Back to the channel', exact: true }).tap();
  expect(await isSeen(page, 'thread')).toBe(false);
  expect(await textsOf(page, '#messages .replies')).toEqual([expect.stringMatching(/1 reply\s*Last reply today at/)]);
  await page.locator('#messages .replies').tap();
  expect(await isSeen(page, 'thread')).toBe(true);
});

test('on a phone nothing is wider than the screen, and what can be pressed is 36 px high', async () => {
  const page = await stage.open('narrow', PHONE);
  const root = await post('narrow', { text: WORD, blocks: card() });
  const table = [
    ['Run', 'State'],
    [WORD, WORD],
  ].map((row) => row.map((text) => ({ type: 'raw_text' as const, text })));
  await stage.bolt.app.client.chat.postMessage({
    channel: idOf('narrow'),
    text: WORD,
    blocks: [
      { type: 'section', text: mrkdwn(`${WORD} \`${WORD}\``), fields: [mrkdwn(WORD), mrkdwn(WORD)] },
      { type: 'table', rows: table },
      { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: WORD }] }] },
    ],
  });
  await post('narrow', { text: WORD, thread_ts: root });
  const check = async (): Promise<void> => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const panes = page.locator('.scroll:visible');
    expect(await panes.evaluateAll((all) => all.filter((pane) => pane.scrollWidth > pane.clientWidth).length)).toBe(0);
    const low = await page
      .locator('button:visible')
      .evaluateAll((all) => all.filter((it) => it.getBoundingClientRect().height < 36).map((it) => it.textContent));
    expect(low).toEqual([]);
  };
  await page.locator('#messages table').waitFor();
  await check();
  await page.locator('#messages .replies').tap();
  await check();
  await page.locator('#leave-thread').tap();
  await page.locator('#show-sidebar').tap();
  await check();
});

test('a button asks first, and only its confirmation reaches the app', async () => {
  const page = await stage.open('confirm');
  await post('confirm', { text: 'Loading.', blocks: card() });
  const stop = page.locator('#messages [data-action=stop]');
  await stop.click();
  expect(await page.getByRole('dialog', { name: 'Stop kpro5-1?' }).textContent()).toContain('Its requests end.');
  await page.keyboard.press('Escape');
  await stop.click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await stop.click();
  await page.getByRole('button', { name: 'Stop it' }).click();
  await expect.poll(() => clicks, PATIENCE).toEqual(['U0ALICE']);
});

test('a modal is filled in, answered while it is open, refused at a field, and sent', async () => {
  const page = await stage.open('modal');
  await page.locator('#input').fill('/vllm');
  await page.locator('#input').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Launch a server' });
  const host = dialog.getByLabel('Host');
  await host.waitFor();
  expect(await host.evaluate((node) => node === document.activeElement)).toBe(true);
  expect(await host.locator('optgroup').evaluateAll((all) => all.map((it) => it.getAttribute('label')))).toEqual([
    'Free',
    'Busy',
  ]);
  await dialog.getByLabel('Queue').check();
  await host.selectOption('kpro5');
  await dialog.getByText('All checks pass on kpro5.').waitFor();
  // What was chosen before the app changed the modal still stands.
  expect(await host.inputValue()).toBe('kpro5');
  expect(await dialog.getByLabel('Queue').isChecked()).toBe(true);

  await dialog.getByRole('button', { name: 'Launch' }).click();
  await dialog.getByText('Please complete this required field.').waitFor();
  expect(submissions).toEqual([]);
  await dialog.getByLabel('Recipe').selectOption('dflash');
  await dialog.getByRole('button', { name: 'Launch' }).click();
  await dialog.getByText('dflash needs 4 GPUs; kpro5 has 2.').waitFor();
  await expect
    .poll(() => dialog.getByLabel('Recipe').evaluate((node) => node === document.activeElement), PATIENCE)
    .toBe(true);
  await dialog.getByLabel('Recipe').selectOption('qwen');
  await dialog.getByRole('button', { name: 'Launch' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(submissions.at(-1)).toEqual({
    host: { host: { type: 'static_select', selected_option: expect.objectContaining({ value: 'kpro5' }) } },
    recipe: { recipe: { type: 'static_select', selected_option: expect.objectContaining({ value: 'qwen' }) } },
    queue: { queue: { type: 'checkboxes', selected_options: [expect.objectContaining({ value: 'Queue' })] } },
  });
  expect(await page.locator('#input').evaluate((node) => node === document.activeElement)).toBe(true);
});

test('a file shows its first lines, and the whole text when it is expanded', async () => {
  const page = await stage.open('files', PHONE);
  const root = await post('files', { text: 'The card.' });
  await page.locator(`#messages [data-ts="${root}"] .body`).tap();
  const file = { channel_id: idOf('files'), thread_ts: root, filename: 'kpro5-1.log', content: LOG.join('\n') };
  await stage.bolt.app.client.filesUploadV2(file);
  await page.locator('.file').waitFor();
  expect(await textsOf(page, '.file figcaption')).toEqual([expect.stringMatching(/^kpro5-1\.log\s+4 kB$/)]);
  const text = page.locator('.file pre');
  expect((await text.textContent())?.split('\n')).toEqual(LOG.slice(0, 5));
  await page.getByRole('button', { name: 'Expand (25 more lines)' }).tap();
  expect(await text.textContent()).toBe(LOG.join('\n'));
  expect(await text.evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // It stays open while its message is drawn anew.
  await stage.bolt.app.client.chat.postMessage({ channel: idOf('files'), thread_ts: root, text: 'More.' });
  await page.locator('#replies').getByText('More.').waitFor();
  await page.getByRole('button', { name: 'Collapse' }).tap();
  expect((await text.textContent())?.split('\n')).toHaveLength(5);
});

test('by day and by night every text can be read', async () => {
  const root = await post('colours', { text: 'Loading.', blocks: card() });
  await post('colours', { text: 'Checks *passed* in `0.8 s`, <https://example.com|see>.', thread_ts: root });
  await stage.bolt.app.client.chat.postEphemeral({ channel: idOf('colours'), user: 'U0ALICE', text: 'You may not.' });
  const papers: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await stage.open('colours', { viewport: { width: 1280, height: 800 }, colorScheme });
    await page.locator('#replies .task-title').first().waitFor();
    papers.push(await styleOf(page, 'body', 'background-color'));
    expect([colorScheme, await faintTexts(page)]).toEqual([colorScheme, []]);
    await page.locator('#input').fill('/vllm');
    await page.locator('#input').press('Enter');
    await page.locator('#modal .hint').waitFor();
    await page.locator('#modal-submit').click();
    await page.locator('#modal .error').first().waitFor();
    expect([colorScheme, await faintTexts(page)]).toEqual([colorScheme, []]);
    await page.keyboard.press('Escape');
  }
  expect(papers).toEqual(['rgb(255, 255, 255)', 'rgb(26, 29, 33)']);
});

test('what a phone’s lock screen would show is a message’s text alone', async () => {
  const page = await stage.open('preview');
  await post('preview', { text: '<@U0ALICE> *kpro5-1 failed*: CUDA out of memory.', blocks: card() });
  const preview = page.getByRole('region', { name: 'Notification' });
  await expect
    .poll(() => preview.locator('.words').allInnerTexts(), PATIENCE)
    .toEqual(['@alice kpro5-1 failed: CUDA out of memory.']);
  expect(await preview.textContent()).toContain('vigil in #preview');
  expect(await preview.textContent()).toContain('mentions you');
  await stage.bolt.app.client.chat.postMessage({ channel: idOf('preview'), blocks: card() });
  await expect
    .poll(() => preview.locator('.words').allInnerTexts(), PATIENCE)
    .toEqual(['This content can’t be displayed.']);
});
