import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SlackStandIn, startSlack } from '../../../rehearsal/slack/server.ts';
import { openBrowser } from '../../support/browser.ts';
import { type RunningApp, startBolt } from './bolt.ts';

const ops = 'C0OPS';
const patience = { timeout: 10_000 };
let browser: Browser;
let slack: SlackStandIn;
let bolt: RunningApp;
let clicks: string[] = [];
let mentions: string[] = [];
let page: Page;
let failures: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);
afterAll(() => browser.close());

afterEach(async () => {
  await page.close();
  await bolt.stop();
  await slack.stop();
  expect(failures).toEqual([]);
});

/** A page of a workspace whose app answers `/vllm` privately, posts a root with two buttons and one reply. */
async function openPage(size = { width: 1280, height: 800 }): Promise<void> {
  clicks = [];
  mentions = [];
  failures = [];
  slack = await startSlack({
    appName: 'vigil',
    channels: [
      { id: ops, name: 'gpu-ops', botIsMember: true },
      { id: 'C0OTHER', name: 'other', botIsMember: false },
    ],
    users: [
      { id: 'U0ALICE', name: 'alice', kind: 'member' },
      { id: 'U0BEN', name: 'ben', kind: 'guest' },
    ],
    suggestions: ['/vllm launch kpro5 dflash', '/vllm help'],
  });
  bolt = await startBolt(slack, {
    listen(app) {
      app.command('/vllm', async ({ ack, client, command }) => {
        await ack(`Understood: *${command.text}*`);
        const root = await client.chat.postMessage({ channel: ops, text: 'card', blocks: card('Queued') });
        await client.chat.postMessage({ channel: ops, thread_ts: root.ts ?? '', text: 'Checks passed.' });
      });
      app.action('stop', async ({ ack, body }) => {
        await ack();
        clicks.push(`stop by ${body.user.id}`);
      });
      app.action('deaf', async () => {});
      app.event('app_mention', async ({ event }) => {
        mentions.push(`${event.text} in ${event.thread_ts}`);
      });
    },
  });
  page = await browser.newPage({ viewport: size });
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (entry) => entry.type() === 'error' && failures.push(entry.text()));
  await page.goto(slack.pageUrl);
  await expect.poll(() => page.locator('#connection').textContent(), patience).toBe('vigil is connected');
}

function card(state: string) {
  const text = (words: string) => ({ type: 'plain_text' as const, text: words });
  const confirm = {
    title: text('Stop it?'),
    text: text('Its requests end.'),
    confirm: text('Stop it'),
    deny: text('Keep it'),
  };
  return [
    { type: 'section' as const, text: { type: 'mrkdwn' as const, text: `*${state}* on \`kpro5\`` } },
    {
      type: 'actions' as const,
      elements: [
        { type: 'button' as const, action_id: 'stop', text: text('Stop'), value: 'it-1', confirm },
        { type: 'button' as const, action_id: 'deaf', text: text('Deaf') },
      ],
    },
  ];
}

const textOf = (selector: string) => page.locator(selector).allInnerTexts();
async function type(text: string): Promise<void> {
  await page.locator('#input').pressSequentially(text);
  await page.keyboard.press('Enter');
}

test('a typed command is answered privately, and the new root opens its thread by itself', async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  await expect
    .poll(() => textOf('#replies .body'), patience)
    .toEqual([expect.stringContaining('Queued'), 'Checks passed.']);
  expect(await textOf('#messages .ephemeral .body')).toEqual(['Understood: launch kpro5 dflash']);
  expect(await textOf('#messages .ephemeral .whisper')).toEqual(['Only visible to you']);
  await expect.poll(() => textOf('#messages .replies')).toEqual([expect.stringContaining('1 reply')]);
  await page.locator('#user').selectOption('ben (guest)');
  await expect.poll(() => textOf('#messages .ephemeral')).toEqual([]);
});

test('a reply that is broadcast is shown in the channel and in its thread, each saying so', async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  await expect.poll(() => textOf('#replies .body'), patience).toHaveLength(2);
  const root = slack.messages(ops).find((message) => message.thread === null);
  const reply = { channel: ops, thread_ts: root?.ts ?? '', text: 'It failed.', reply_broadcast: true };
  await bolt.app.client.chat.postMessage(reply);
  await expect.poll(() => textOf('#messages .broadcast'), patience).toEqual(['replied to a thread: card']);
  expect(await textOf('#messages article:last-child .body')).toEqual(['It failed.']);
  expect(await textOf('#replies .broadcast')).toEqual(['Also sent to the channel']);
  await page.locator('#close-thread').click();
  await page.locator('#messages .broadcast').click();
  await expect.poll(() => textOf('#replies .body'), patience).toContain('It failed.');
});

test('a button asks first, and only its confirmation reaches the app', async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  const stop = page.locator('#messages [data-action=stop]');
  await stop.click();
  expect(await textOf('#confirm h2')).toEqual(['Stop it?']);
  await page.locator('#confirm-deny').click();
  await stop.click();
  await page.keyboard.press('Escape');
  await stop.click();
  await page.locator('#confirm-accept').click();
  await expect.poll(() => clicks, patience).toEqual(['stop by U0ALICE']);
});

test('a click that the app does not answer in 3 s is told', { timeout: 20_000 }, async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  await page.locator('#messages [data-action=deaf]').click();
  await expect.poll(() => textOf('#toasts p'), patience).toEqual(['vigil did not answer this click within 3 seconds.']);
});

test('an edit is shown in place, and a button that did not change stays the same node', async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  const stop = await page.locator('#messages [data-action=stop]').elementHandle();
  const root = slack.messages(ops).find((message) => message.blocks.length > 0);
  await bolt.app.client.chat.update({ channel: ops, ts: root?.ts ?? '', text: 'card', blocks: card('Ready') });
  await expect.poll(() => textOf('#messages .edited'), patience).toEqual(['(edited)']);
  expect(await textOf('#messages b')).toContain('Ready');
  expect(await stop?.evaluate((node) => node.isConnected)).toBe(true);
});

test('what is posted can not become markup of the page', async () => {
  await openPage();
  const nasty = '<img src=x onerror=alert(1)> &lt;b&gt;x&lt;/b&gt; <javascript:alert(1)|click> <http://a.example|safe>';
  const blocks = [
    { type: 'section' as const, text: { type: 'mrkdwn' as const, text: nasty } },
    {
      type: 'rich_text' as const,
      elements: [
        { type: 'rich_text_preformatted' as const, elements: [{ type: 'text' as const, text: `${nasty} <!channel>` }] },
      ],
    },
  ];
  await bolt.app.client.chat.postMessage({ channel: ops, text: 'x', blocks });
  await expect.poll(() => page.locator('#messages pre').textContent(), patience).toBe(`${nasty} <!channel>`);
  expect(await page.locator('#messages img, #messages .section b').count()).toBe(0);
  const links = await page.locator('#messages a').evaluateAll((all) => all.map((node) => node.getAttribute('href')));
  expect(links).toEqual(['http://a.example']);
});

test('lines stay lines in plain text, and a long box shows its end', async () => {
  await openPage();
  const long = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
  const blocks = [
    { type: 'section' as const, text: { type: 'plain_text' as const, text: 'exit code 0\nport closed' } },
    {
      type: 'rich_text' as const,
      elements: [{ type: 'rich_text_preformatted' as const, elements: [{ type: 'text' as const, text: long }] }],
    },
  ];
  await bolt.app.client.chat.postMessage({ channel: ops, text: 'x', blocks });
  await expect.poll(() => textOf('#messages .section'), patience).toEqual(['exit code 0\nport closed']);
  const hidden = await page.locator('#messages pre').evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(hidden).toBe(0);
});

test('a date is shown in the reader’s zone', async () => {
  await openPage();
  await bolt.app.client.chat.postMessage({ channel: ops, text: 'at <!date^1700000000^{date_num} {time_secs}|then>' });
  const local = await page.evaluate(() => {
    const date = new Date(1_700_000_000_000);
    const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
    return `at ${date.toLocaleDateString('sv')} ${time}`;
  });
  await expect.poll(() => textOf('#messages .body'), patience).toEqual([local]);
});

test('on a phone one pane is seen at a time and nothing overflows', async () => {
  await openPage({ width: 360, height: 740 });
  const visible = () =>
    page.evaluate(() => ['sidebar', 'channel', 'thread'].filter((id) => document.getElementById(id)?.offsetWidth));
  await type('/vllm launch kpro5 dflash');
  await page.locator('#messages .replies').click();
  expect(await visible()).toEqual(['thread']);
  expect(await textOf('#replies .body')).toContain('Checks passed.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.locator('#leave-thread').click();
  expect(await visible()).toEqual(['channel']);
  await page.locator('#show-sidebar').click();
  expect(await visible()).toEqual(['sidebar']);
  await page.getByRole('button', { name: '# other' }).click();
  expect(await textOf('#membership')).toEqual(['vigil is not in this channel']);
});

test('a reply in a thread reaches the app that it mentions, and a command there is refused as Slack does', async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  await expect.poll(() => textOf('#replies .body'), patience).toHaveLength(2);
  const root = slack.messages(ops).find((message) => message.blocks.length > 0);
  const reply = page.locator('#reply-input');
  await reply.fill('@vi');
  await page.locator('#reply').getByRole('button', { name: '@vigil' }).click();
  await reply.pressSequentially('log <b>');
  await reply.press('Shift+Enter');
  await reply.pressSequentially('please');
  await reply.press('Enter');
  await expect.poll(() => mentions, patience).toEqual([`<@${slack.botUserId}> log &lt;b&gt;\nplease in ${root?.ts}`]);
  await expect.poll(() => textOf('#replies .body'), patience).toContain('@vigil log <b>\nplease');
  await reply.fill('/vllm stop kpro5-1');
  await reply.press('Enter');
  await expect
    .poll(() => textOf('#replies .ephemeral .body'), patience)
    .toEqual(['/vllm is not supported in threads. Sorry!']);
  expect(slack.connections.envelopes().filter(({ type: kind }) => kind === 'slash_commands')).toHaveLength(1);
  await reply.press('Escape');
  expect(await page.locator('#thread').isVisible()).toBe(false);
});

test('a deleted root leaves a mark while it has replies, and an archived channel takes no words', async () => {
  await openPage();
  await type('/vllm launch kpro5 dflash');
  await expect.poll(() => textOf('#replies .body'), patience).toHaveLength(2);
  const root = slack.messages(ops).find((message) => message.blocks.length > 0);
  slack.deleteMessage(ops, root?.ts ?? '');
  await expect.poll(() => textOf('#replies .body'), patience).toEqual(['This message was deleted.', 'Checks passed.']);
  expect(await page.getByRole('article', { name: 'vigil: card' }).count()).toBe(0);
  slack.archive(ops);
  await page.getByText('This channel is archived').waitFor();
  expect(await page.locator('#input').isVisible()).toBe(false);
  expect(await page.locator('#reply-input').isVisible()).toBe(false);
});

test('the page tells whether the app is connected', async () => {
  await openPage();
  await bolt.stop();
  await expect.poll(() => textOf('#connection'), patience).toEqual(['vigil is not connected']);
  expect(await textOf('#membership')).toEqual(['vigil is not connected']);
});
