import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { checkView } from '../../../rehearsal/slack/blocks.ts';
import type { SlackStandIn } from '../../../rehearsal/slack/server.ts';
import { ALICE, fakeClock, OPS, openSlack } from './stage.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string, text = value) => ({ text: plain(text), value });
const options = (count: number) => Array.from({ length: count }, (_, n) => option(`o${n}`));
const menu = (fields: object = {}) => ({ type: 'static_select', action_id: 'host', options: options(2), ...fields });
const input = (element: object, fields: object = {}) => ({
  type: 'input',
  block_id: 'host',
  label: plain('Host'),
  element,
  ...fields,
});
const modal = (blocks: object[], fields: object = {}) => ({
  type: 'modal',
  title: plain('Launch'),
  submit: plain('Launch'),
  blocks,
  ...fields,
});

/** A trigger of a command that nobody answers. */
const trigger = async (slack: SlackStandIn) =>
  (await slack.command({ user: ALICE, channel: OPS, text: '/vllm' })).triggerId;
const open = (client: WebClient, triggerId: string, view: object = modal([input(menu())])) =>
  client.apiCall('views.open', { trigger_id: triggerId, view });
const update = (client: WebClient, args: object) => client.apiCall('views.update', { ...args });

test('a trigger opens one modal within 3 s, for the person who gave it', async () => {
  const clock = fakeClock();
  const { slack, client } = await openSlack({ now: clock.now });
  const first = await trigger(slack);
  clock.pass(3000);
  const { view } = await client.views.open({ trigger_id: first, view: modal([]) as never });
  expect(view).toMatchObject({ root_view_id: view?.id, callback_id: '', private_metadata: '', state: { values: {} } });
  expect(slack.dialogs()).toMatchObject([{ id: view?.id, user: ALICE, hash: view?.hash, isOpen: true }]);
  await expect(open(client, first)).rejects.toThrow('exchanged_trigger_id');
  const late = await trigger(slack);
  clock.pass(3001);
  await expect(open(client, late)).rejects.toThrow('expired_trigger_id');
  await expect(open(client, 'made-up')).rejects.toThrow('invalid_arguments');
  expect(slack.dialogs()).toHaveLength(1);
});

test('an update needs an open view and, where it names one, the newest hash', async () => {
  const { slack, client } = await openSlack();
  await open(client, await trigger(slack));
  const [{ id, hash } = { id: '', hash: '' }] = slack.dialogs();
  await update(client, { view_id: id, hash, view: modal([], { title: plain('Two') }) });
  expect(slack.dialogs()).toMatchObject([{ id, view: { title: { text: 'Two' } } }]);
  await expect(update(client, { view_id: id, hash, view: modal([]) })).rejects.toThrow('hash_conflict');
  await update(client, { view_id: id, view: modal([], { title: plain('Three') }) });
  await slack.dismiss({ user: ALICE, viewId: id });
  await expect(update(client, { view_id: id, view: modal([]) })).rejects.toThrow('not_found');
  expect(slack.dialogs()).toEqual([]);
});

test('an update keeps what was chosen in elements of the same name that still have it', async () => {
  const { slack, client } = await openSlack();
  const text = input({ type: 'plain_text_input', action_id: 'why' }, { block_id: 'why', optional: true });
  await open(client, await trigger(slack), modal([input(menu({ initial_option: option('o0') })), text]));
  const [{ id } = { id: '' }] = slack.dialogs();
  const values = { why: { why: { type: 'plain_text_input', value: 'because' } } };
  await slack.choose({ user: ALICE, viewId: id, actionId: 'host', value: 'o1', values });
  const state = () => slack.dialogs()[0]?.values;
  const kept = { why: { why: { value: 'because' } } };
  expect(state()).toMatchObject({ host: { host: { selected_option: option('o1') } }, ...kept });
  await update(client, { view_id: id, view: modal([input(menu({ options: options(3) })), text]) });
  expect(state()).toMatchObject({ host: { host: { selected_option: option('o1') } }, ...kept });
  await update(client, { view_id: id, view: modal([input(menu({ options: options(1) })), text]) });
  expect(state()).toMatchObject({ host: { host: { selected_option: null } }, ...kept });
  await update(client, { view_id: id, view: modal([input(menu(), { block_id: 'other' })]) });
  expect(state()).toEqual({ other: { host: { type: 'static_select', selected_option: null } } });
});

test("the app's own name for a view is for one view", async () => {
  const { slack, client } = await openSlack();
  const named = modal([], { external_id: 'mine' });
  await open(client, await trigger(slack), named);
  await expect(open(client, await trigger(slack), named)).rejects.toThrow('duplicate_external_id');
  await update(client, { external_id: 'mine', view: modal([], { title: plain('Two'), external_id: 'mine' }) });
  expect(slack.dialogs()).toMatchObject([{ view: { title: { text: 'Two' } } }]);
});

test('a view over 250 kB and one with an unknown block are refused, and nothing is opened', async () => {
  const { slack, client } = await openSlack();
  const triggerId = await trigger(slack);
  const wordy = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3000) } };
  await expect(open(client, triggerId, modal(Array(90).fill(wordy)))).rejects.toThrow('view_too_large');
  await expect(open(client, triggerId, modal([{ type: 'table', rows: [] }]))).rejects.toMatchObject({
    data: {
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] unsupported type [json-pointer:/view/blocks/0/type]'] },
    },
  });
  expect(slack.dialogs()).toEqual([]);
  expect(slack.views()).toEqual([]);
});

test('at most three views lie on each other', async () => {
  const { slack, client } = await openSlack();
  const push = async () => client.apiCall('views.push', { trigger_id: await trigger(slack), view: modal([]) });
  await expect(push()).rejects.toThrow('not_found');
  await open(client, await trigger(slack));
  await push();
  await push();
  await expect(push()).rejects.toThrow('push_limit_reached');
  const [root, second, third] = slack.dialogs();
  expect([second?.previous, third?.previous, third?.root]).toEqual([root?.id, second?.id, root?.id]);
});

const long = (count: number) => 'x'.repeat(count);
const boxes = (count: number) => ({ type: 'checkboxes', options: options(count) });

test.each([
  ['a title over 24', modal([], { title: plain(long(25)) }), '/view/title/text'],
  ['no title', { type: 'modal', blocks: [] }, '/view'],
  ['a submit over 24', modal([], { submit: plain(long(25)) }), '/view/submit/text'],
  ['a close over 24', modal([], { close: plain(long(25)) }), '/view/close/text'],
  ['101 blocks', modal(Array(101).fill({ type: 'divider' })), '/view/blocks'],
  ['private_metadata over 3,000', modal([], { private_metadata: long(3001) }), '/view/private_metadata'],
  ['a callback_id over 255', modal([], { callback_id: long(256) }), '/view/callback_id'],
  ['inputs without submit', modal([input(menu())], { submit: undefined }), '/view'],
  ['101 options', modal([input(menu({ options: options(101) }))]), '/view/blocks/0/element/options'],
  ['no options', modal([input(menu({ options: [] }))]), '/view/blocks/0/element/options'],
  [
    'options beside groups',
    modal([input(menu({ option_groups: [{ label: plain('a'), options: options(1) }] }))]),
    '/view/blocks/0/element',
  ],
  [
    'an option over 75',
    modal([input(menu({ options: [option('a', long(76))] }))]),
    '/view/blocks/0/element/options/0/text/text',
  ],
  [
    'an option value over 150',
    modal([input(menu({ options: [option(long(151), 'a')] }))]),
    '/view/blocks/0/element/options/0/value',
  ],
  [
    'a description over 75',
    modal([input(menu({ options: [{ ...option('a'), description: plain(long(76)) }] }))]),
    '/view/blocks/0/element/options/0/description/text',
  ],
  [
    'an initial option that is none of the options',
    modal([input(menu({ initial_option: option('o0', 'other words') }))]),
    '/view/blocks/0/element',
  ],
  ['11 boxes', modal([input(boxes(11))]), '/view/blocks/0/element/options'],
  ['a plan', modal([{ type: 'plan', title: 'x' }]), '/view/blocks/0/type'],
  ['a button as input', modal([input({ type: 'button', text: plain('Go') })]), '/view/blocks/0/element/type'],
  ['a repeated block_id', modal([input(menu()), input(menu())]), '/view/blocks/1/block_id'],
])('%s is refused with a pointer to it', (_what, view, pointer) => {
  const verdict = checkView(view, () => 'L1');
  expect(verdict.kind === 'refused' && verdict.details[0]).toContain(`[json-pointer:${pointer}]`);
});

test('everything else that a modal may hold is taken', () => {
  const blocks = [
    { type: 'header', text: plain('x') },
    { type: 'alert', text: plain('careful'), level: 'warning' },
    { type: 'section', text: plain('x'), accessory: { type: 'overflow', options: options(2) } },
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }] },
    {
      type: 'actions',
      elements: [
        { type: 'button', text: plain('Check') },
        { type: 'radio_buttons', options: options(2) },
      ],
    },
    input(menu({ options: undefined, option_groups: [{ label: plain('a'), options: options(100) }] })),
    input({ type: 'plain_text_input', multiline: true, max_length: 10 }, { block_id: 'b', dispatch_action: true }),
    input({ type: 'datepicker' }, { block_id: 'c', hint: plain('x') }),
  ];
  expect(checkView(modal(blocks), () => 'L1')).toMatchObject({ kind: 'taken' });
});

test('a Home tab is kept, and judged', async () => {
  const { slack, client } = await openSlack();
  const publish = (view: object) => client.apiCall('views.publish', { user_id: ALICE, view });
  await publish({ type: 'home', blocks: [{ type: 'divider' }] });
  expect(slack.views()).toMatchObject([{ method: 'views.publish', user: ALICE, view: { type: 'home' } }]);
  await expect(publish({ type: 'modal', blocks: [] })).rejects.toThrow('invalid_arguments');
});
