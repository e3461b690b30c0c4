import type { View } from '@slack/types';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPageStage, PATIENCE, type PageStage, PHONE } from './page-stage.ts';

const ACK_MS = 1500;
let stage: PageStage;
let heard: unknown[] = [];
let answer: (() => Record<string, unknown> | null) | null = null;

beforeAll(async () => {
  stage = await openPageStage({
    channels: ['ops'],
    more: { ackLimitMs: ACK_MS },
    listen(app) {
      app.command('/vllm', async ({ ack, client, command }) => {
        await ack();
        await client.views.open({ trigger_id: command.trigger_id, view: formView('') });
      });
      app.action({ type: 'block_actions' }, async ({ ack, action, body }) => {
        await ack();
        heard.push([action.action_id, 'value' in action ? action.value : null]);
        const id = body.view?.id ?? '';
        if (action.action_id === 'again') await change(id, 'Checked again.');
      });
      app.view('form', async ({ ack, view }) => {
        heard.push(view.state.values);
        const answered = answer?.() ?? null;
        if (answered !== null) await (ack as (response: unknown) => Promise<void>)(answered);
      });
      app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack }) => {
        await ack();
        heard.push('closed');
      });
    },
  });
});
afterAll(() => stage?.stop());
beforeEach(() => {
  heard = [];
  answer = null;
});
afterEach(async () => {
  for (const { id, user } of stage.slack.dialogs()) await stage.slack.dismiss({ user, viewId: id });
  expect(await stage.closePages()).toEqual([]);
});

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });

function formView(said: string): View {
  const confirm = {
    title: plain('Check again?'),
    text: plain('It takes a second.'),
    confirm: plain('Check'),
    deny: plain('No'),
  };
  return {
    type: 'modal',
    callback_id: 'form',
    notify_on_close: true,
    title: plain('Verify a server'),
    submit: plain('Verify'),
    blocks: [
      {
        type: 'input',
        block_id: 'how',
        label: plain('How'),
        element: { type: 'radio_buttons', action_id: 'how', options: [option('Fully'), option('Health')] },
      },
      {
        type: 'input',
        block_id: 'why',
        optional: true,
        label: plain('Why'),
        element: { type: 'plain_text_input', action_id: 'why', max_length: 40 },
      },
      {
        type: 'section',
        block_id: 'check',
        text: plain(said || 'Not checked yet.'),
        accessory: { type: 'button', action_id: 'again', value: 'now', text: plain('Check again'), confirm },
      },
    ],
  };
}

async function change(id: string, said: string): Promise<void> {
  await stage.bolt.app.client.views.update({ view_id: id, view: formView(said) });
}

async function openModal(how?: Parameters<PageStage['open']>[1]): Promise<Page> {
  const page = await stage.open('ops', how);
  await page.locator('#input').fill('/vllm');
  await page.locator('#input').press('Enter');
  await page.locator('#modal').waitFor();
  return page;
}

test('a submission without an answer waits, says so in Slack’s words, and can be sent again', async () => {
  const page = await openModal();
  await page.getByLabel('Fully').check();
  await page.getByLabel('Why').fill('slow since noon');
  const submit = page.getByRole('button', { name: 'Verify' });
  await submit.click();
  await expect.poll(() => submit.getAttribute('aria-busy'), PATIENCE).toBe('true');
  await page.getByRole('alert').getByText('We had some trouble connecting. Try again?').waitFor();
  expect(await submit.getAttribute('aria-busy')).toBe('false');
  answer = () => ({});
  await submit.click();
  await page.locator('#modal').waitFor({ state: 'hidden' });
  const values = {
    how: { how: { type: 'radio_buttons', selected_option: expect.objectContaining({ value: 'fully' }) } },
    why: { why: { type: 'plain_text_input', value: 'slow since noon' } },
  };
  expect(heard).toEqual([values, values]);
});

test('Escape closes it, the app hears of it, and the focus returns', async () => {
  const page = await openModal();
  await page.keyboard.press('Escape');
  await page.locator('#modal').waitFor({ state: 'hidden' });
  await expect.poll(() => heard, PATIENCE).toEqual(['closed']);
  expect(stage.slack.dialogs()).toEqual([]);
  expect(await page.locator('#input').evaluate((node) => node === document.activeElement)).toBe(true);
});

test('the keyboard stays inside it and reaches everything', async () => {
  const page = await openModal();
  const reached = new Set<string>();
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('Tab');
    const where = await page.evaluate(() => {
      const { activeElement } = document;
      const isInside = activeElement === document.body || activeElement?.closest('#modal') !== null;
      return isInside
        ? (activeElement?.textContent ?? activeElement?.id ?? '')
        : `outside: ${activeElement?.outerHTML}`;
    });
    reached.add(where);
  }
  expect([...reached].filter((where) => where.startsWith('outside'))).toEqual([]);
  expect([...reached]).toEqual(expect.arrayContaining(['×', 'Check again', 'Close', 'Verify']));
});

test('what is being typed stays when the app changes the modal meanwhile', async () => {
  const page = await openModal();
  const why = page.getByLabel('Why');
  await why.pressSequentially('half a sent');
  await change(stage.slack.dialogs().at(-1)?.id ?? '', 'GPU 3 is busy.');
  await page.getByText('GPU 3 is busy.').waitFor();
  await page.keyboard.type('ence');
  expect(await why.inputValue()).toBe('half a sentence');
});

test('a button in it asks first, then tells the app, and the answer stands in its place', async () => {
  const page = await openModal();
  const again = page.getByRole('button', { name: 'Check again' });
  await again.click();
  await page.getByRole('dialog', { name: 'Check again?' }).getByRole('button', { name: 'No' }).click();
  expect(heard).toEqual([]);
  await again.click();
  await page.getByRole('dialog', { name: 'Check again?' }).getByRole('button', { name: 'Check' }).click();
  await page.getByText('Checked again.').waitFor();
  expect(heard).toEqual([['again', 'now']]);
});

test('a view on top of another hides it, and its cross closes both', async () => {
  const page = await openModal();
  answer = () => ({
    response_action: 'push',
    view: {
      type: 'modal',
      title: plain('Are you sure?'),
      blocks: [{ type: 'section', text: plain('It costs a request.') }],
    },
  });
  await page.getByLabel('Health').check();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('It costs a request.').waitFor();
  expect(await page.locator('#modal-title').textContent()).toBe('Are you sure?');
  expect(await page.locator('#modal-submit').isVisible()).toBe(false);
  await page.locator('#modal-cross').click();
  await page.locator('#modal').waitFor({ state: 'hidden' });
  await expect.poll(() => stage.slack.dialogs(), PATIENCE).toEqual([]);
});

test('only the one who opened it sees it, on a phone over the whole screen', async () => {
  const other = await stage.open('ops');
  const page = await openModal(PHONE);
  expect(await page.locator('#modal').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await other.locator('#modal').waitFor();
  await other.locator('#user').evaluate((select: HTMLSelectElement) => {
    select.value = 'U0BEN';
    select.dispatchEvent(new Event('change'));
  });
  await other.locator('#modal').waitFor({ state: 'hidden' });
  expect(stage.slack.dialogs()).toHaveLength(1);
});
