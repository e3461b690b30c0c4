import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SlackOptions, SlackStandIn } from '../../../rehearsal/slack/server.ts';
import { toModalText } from '../../../rehearsal/slack/text.ts';
import { startBolt } from './bolt.ts';
import { ALICE, BEN, fakeClock, OPS, openSlack } from './stage.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });

const VIEW: ModalView = {
  type: 'modal',
  callback_id: 'launch',
  private_metadata: '{"channel":"C0OPS"}',
  title: plain('Launch'),
  submit: plain('Launch'),
  close: plain('Cancel'),
  blocks: [
    {
      type: 'input',
      block_id: 'host',
      label: plain('Host'),
      dispatch_action: true,
      element: { type: 'static_select', action_id: 'host', options: [option('kpro5'), option('trainer')] },
    },
    {
      type: 'input',
      block_id: 'flags',
      label: plain('Flags'),
      optional: true,
      element: { type: 'plain_text_input', action_id: 'flags', max_length: 10 },
    },
    {
      type: 'actions',
      block_id: 'deeds',
      elements: [
        {
          type: 'checkboxes',
          action_id: 'dry',
          options: [option('dry'), option('force')],
          initial_options: [option('dry')],
        },
        { type: 'button', action_id: 'check', text: plain('Check'), value: 'now' },
      ],
    },
  ],
};

/** An app that opens a modal for `/vllm`, and what else the test adds. */
async function withModal(listen: (app: App) => void, view: ModalView = VIEW, options: Partial<SlackOptions> = {}) {
  // A clock that stands: no trigger expires on a busy machine.
  const { slack, client } = await openSlack({ now: fakeClock().now, ...options });
  const bolt = await startBolt(slack, {
    listen(app) {
      app.command('/vllm', async ({ ack, client: its, command }) => {
        await ack();
        await its.views.open({ trigger_id: command.trigger_id, view });
      });
      listen(app);
    },
  });
  onTestFinished(() => bolt.stop());
  await slack.command({ user: ALICE, channel: OPS, text: '/vllm' });
  await vi.waitFor(() => expect(slack.dialogs()).toHaveLength(1));
  return { slack, client, viewId: shown(slack).id };
}

function shown(slack: SlackStandIn) {
  const view = slack.dialogs().at(-1);
  if (view === undefined) throw new Error('no modal is open');
  return view;
}

const HOST = { host: { host: { type: 'static_select', selected_option: option('kpro5') } } };

test('a choice is told at once, with the whole form and without a channel', async () => {
  const bodies: Record<string, unknown>[] = [];
  const { slack, viewId } = await withModal((app) =>
    app.action('host', async ({ ack, body }) => {
      await ack();
      bodies.push({ ...body });
    }),
  );
  const values = { flags: { flags: { type: 'plain_text_input', value: '--port 1' } } };
  const outcome = await slack.choose({ user: ALICE, viewId, actionId: 'host', value: 'kpro5', values });
  expect(outcome).toMatchObject({ acked: true, error: null, triggerId: bodies[0]?.trigger_id });
  expect(bodies).toMatchObject([
    {
      type: 'block_actions',
      container: { type: 'view', view_id: viewId },
      user: { id: ALICE },
      actions: [{ type: 'static_select', action_id: 'host', block_id: 'host', selected_option: option('kpro5') }],
      view: {
        id: viewId,
        callback_id: 'launch',
        private_metadata: '{"channel":"C0OPS"}',
        hash: shown(slack).hash,
        state: {
          values: { ...HOST, ...values, deeds: { dry: { type: 'checkboxes', selected_options: [option('dry')] } } },
        },
      },
    },
  ]);
  expect(bodies[0]).not.toHaveProperty('channel');
  expect(bodies[0]).not.toHaveProperty('message');
});

test('boxes are turned on and off, a button brings its value, and a text waits for the submission', async () => {
  const told: unknown[] = [];
  const { slack, viewId } = await withModal((app) =>
    app.action(/./, async ({ ack, action }) => {
      await ack();
      if (action.type === 'checkboxes') told.push(action.selected_options.map(({ value }) => value));
      if (action.type === 'button') told.push(action.value);
    }),
  );
  const use = (actionId: string, value: string) => slack.choose({ user: ALICE, viewId, actionId, value });
  await use('dry', 'force');
  await use('dry', 'dry');
  await use('check', 'now');
  expect(await use('flags', '--x')).toMatchObject({ acked: false, error: null, envelopeId: '' });
  expect(told).toEqual([['dry', 'force'], ['force'], 'now']);
  expect(shown(slack).values.flags).toEqual({ flags: { type: 'plain_text_input', value: '--x' } });
  await expect(use('host', 'elsewhere')).rejects.toThrow('no option elsewhere; there are kpro5, trainer');
  await expect(use('nothing', '1')).rejects.toThrow('it has: host, flags, dry, check');
  await expect(slack.choose({ user: BEN, viewId, actionId: 'host', value: 'kpro5' })).rejects.toThrow('not for U0BEN');
});

test('a form that lacks something is not sent, and says what', async () => {
  const { slack, viewId } = await withModal(() => {});
  const send = (values: object) => slack.submit({ user: ALICE, viewId, values: { ...values } });
  expect(await send({})).toMatchObject({ acked: false, error: 'incomplete_form' });
  expect(shown(slack).errors).toEqual({ host: 'Please complete this required field.' });
  const tooLong = { flags: { flags: { type: 'plain_text_input', value: 'x'.repeat(11) } } };
  expect(await send({ ...HOST, ...tooLong })).toMatchObject({ error: 'incomplete_form' });
  expect(shown(slack).errors).toEqual({ flags: 'Must be at most 10 characters.' });
  expect(slack.connections.envelopes().map(({ type }) => type)).toEqual(['slash_commands']);
});

test('a bare ack closes the modal', async () => {
  const seen: unknown[] = [];
  const { slack, client, viewId } = await withModal((app) =>
    app.view('launch', async ({ ack, view }) => {
      await ack();
      seen.push(view.state.values);
    }),
  );
  expect(await slack.submit({ user: ALICE, viewId, values: HOST })).toMatchObject({ acked: true, error: null });
  expect(slack.dialogs()).toEqual([]);
  expect(seen).toMatchObject([{ ...HOST, flags: { flags: { type: 'plain_text_input', value: null } } }]);
  await expect(client.views.update({ view_id: viewId, view: VIEW })).rejects.toThrow('not_found');
});

test('errors stand at their inputs until the next submission', async () => {
  let times = 0;
  const { slack, viewId } = await withModal((app) =>
    app.view('launch', async ({ ack }) => {
      times += 1;
      await (times === 1 ? ack({ response_action: 'errors', errors: { host: 'kpro5 is busy.' } }) : ack());
    }),
  );
  await slack.submit({ user: ALICE, viewId, values: HOST });
  expect(shown(slack)).toMatchObject({ errors: { host: 'kpro5 is busy.' }, trouble: null, isOpen: true });
  expect(toModalText(shown(slack))).toMatchInlineSnapshot(`
    "== Launch ==
    Host: [KPRO5]
    ! kpro5 is busy.
    Flags (optional): []
    [DRY] [Check]
    [Cancel] [Launch]"
  `);
  await slack.submit({ user: ALICE, viewId, values: {} });
  expect(slack.dialogs()).toEqual([]);
});

test('a submission can change the view, put another on top, or clear all', async () => {
  const answers = ['update', 'push', 'clear'] as const;
  const left = [...answers];
  const next = (text: string): ModalView => ({ ...VIEW, title: plain(text) });
  const { slack, viewId } = await withModal((app) =>
    app.view('launch', async ({ ack }) => {
      const how = left.shift();
      if (how === undefined || how === 'clear') return ack({ response_action: 'clear' });
      return ack({ response_action: how, view: next(how) });
    }),
  );
  const send = () => slack.submit({ user: ALICE, viewId: shown(slack).id, values: HOST });
  const before = shown(slack).hash;
  await send();
  expect(shown(slack)).toMatchObject({ id: viewId, view: { title: { text: 'update' } } });
  expect(shown(slack).hash).not.toBe(before);
  await send();
  expect(shown(slack)).toMatchObject({ previous: viewId, root: viewId, view: { title: { text: 'push' } } });
  await send();
  expect(slack.dialogs()).toEqual([]);
});

test.each([
  ['no ack', undefined, { acked: false, error: 'operation_timeout' }],
  [
    'errors for what is no input',
    { response_action: 'errors', errors: { deeds: 'x' } },
    { error: 'invalid_view_response' },
  ],
  [
    'a view that Slack refuses',
    { response_action: 'update', view: { type: 'modal' } },
    { error: 'invalid_view_response' },
  ],
  ['an unknown answer', { response_action: 'shut' }, { error: 'invalid_view_response' }],
])('%s leaves the modal open, with Slack asking to try again', async (_what, answer, outcome) => {
  const { slack, viewId } = await withModal(
    (app) => app.view('launch', async ({ ack }) => (answer === undefined ? undefined : ack(answer as never))),
    VIEW,
    answer === undefined ? { ackLimitMs: 100 } : {},
  );
  expect(await slack.submit({ user: ALICE, viewId, values: HOST })).toMatchObject(outcome);
  expect(shown(slack)).toMatchObject({ trouble: 'We had some trouble connecting. Try again?', values: HOST });
});

test('a cross closes all, and tells the app only where it wished', async () => {
  const closed: unknown[] = [];
  const listen = (app: App) =>
    app.view({ callback_id: 'launch', type: 'view_closed' }, async ({ ack, body }) => {
      await ack();
      closed.push([body.view.id, body.type === 'view_closed' && body.is_cleared, body.user.id]);
    });
  const quiet = await withModal(listen);
  await quiet.slack.dismiss({ user: ALICE, viewId: quiet.viewId });
  expect(quiet.slack.dialogs()).toEqual([]);
  const told = await withModal(listen, { ...VIEW, notify_on_close: true });
  await told.slack.dismiss({ user: ALICE, viewId: told.viewId });
  await vi.waitFor(() => expect(closed).toEqual([[told.viewId, false, ALICE]]));
  await expect(told.slack.dismiss({ user: ALICE, viewId: told.viewId })).rejects.toThrow('open are: none');
});

test('every change of a modal is announced', async () => {
  const { slack, viewId } = await withModal((app) => app.view('launch', ({ ack }) => ack()));
  const seen: boolean[] = [];
  slack.on((change) => change.kind === 'view' && change.view.id === viewId && seen.push(change.view.isOpen));
  await slack.submit({ user: ALICE, viewId, values: HOST });
  expect(seen).toEqual([true, false]);
});
