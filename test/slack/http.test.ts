/** Requests that Slack signs, in place of sockets: the unmodified Bolt app, with the stand-in as its Web API. */

import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { ConfigError } from '../../src/errors.ts';
import { renderCard } from '../../src/report/card.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';
import { SIGNING_SECRET, signedSender } from '../support/signed.ts';
import { runningApp, setUpApp } from './running.ts';

async function listening() {
  const port = await findFreePort();
  const entrance = { kind: 'http', signingSecret: SIGNING_SECRET, host: '127.0.0.1', port } as const;
  const world = await runningApp({ entrance });
  const origin = `http://127.0.0.1:${port}`;
  return { ...world, origin, send: signedSender(origin), stop: () => world.app.stop() };
}

const LAUNCH = {
  ...{ command: '/vllm', text: 'launch kpro5 dflash', team_id: 'T0LOCAL', user_id: 'U0ALICE', channel_id: 'C0OPS' },
  ...{ trigger_id: '1.2.three', response_url: 'https://hooks.slack.com/commands/none', api_app_id: 'A0LOCAL' },
};
const CLICK = {
  ...{ type: 'block_actions', team: { id: 'T0LOCAL' }, user: { id: 'U0ALICE', team_id: 'T0LOCAL' } },
  ...{ channel: { id: 'C0OPS' }, trigger_id: '1.2.four', response_url: '', api_app_id: 'A0LOCAL' },
};
const stopClick = (ts: string) => ({
  ...CLICK,
  container: { type: 'message', message_ts: ts, channel_id: 'C0OPS' },
  message: { ts },
  actions: [{ type: 'button', action_id: 'stop', block_id: 'b', value: sampleRun({}).request.id, action_ts: '1' }],
});
const MENTION = {
  ...{ type: 'event_callback', team_id: 'T0LOCAL', api_app_id: 'A0LOCAL', event_id: 'Ev1' },
  authorizations: [{ team_id: 'T0LOCAL', user_id: 'U0LOCALBOT', is_bot: true }],
  event: {
    type: 'app_mention',
    user: 'U0ALICE',
    channel: 'C0OPS',
    text: '<@U0LOCALBOT> vllm help',
    ts: '2.0',
    event_ts: '2.0',
  },
};

test('a command is acknowledged with its answer', async () => {
  const { desk, send } = await listening();
  const response = await send.command(LAUNCH);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    response_type: 'ephemeral',
    text: expect.stringContaining('Launching *dflash* on *kpro5*'),
  });
  expect(desk.orders).toMatchObject([{ trigger: LAUNCH.trigger_id, by: 'U0ALICE', channel: 'C0OPS' }]);
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
});

test('a click is acknowledged and carried out', async () => {
  const { slack, chat, desk, send } = await listening();
  const key = { run: 'r', event: '1' };
  const root = await chat.post({ channel: 'C0OPS', thread: null }, renderCard(sampleRun({}), VIEW), key);
  desk.summaries.push({ run: sampleRun({}), root });
  expect((await send.interaction(stopClick(root.ts))).status).toBe(200);
  await vi.waitFor(() => expect(slack.ephemerals().at(-1)?.text).toContain('Stopping'));
  expect(desk.stops.size).toBe(1);
});

test('a submission is acknowledged, and its answer comes where the modal was opened', async () => {
  const { slack, send } = await listening();
  const view = {
    ...{ id: 'V1', callback_id: 'of another version', type: 'modal', state: { values: {} } },
    private_metadata: JSON.stringify({ channel: 'C0OPS', url: null }),
  };
  const response = await send.interaction({ ...CLICK, type: 'view_submission', view });
  expect([response.status, await response.text()]).toEqual([200, '']);
  await vi.waitFor(() =>
    expect(slack.ephemerals()).toMatchObject([{ user: 'U0ALICE', channel: 'C0OPS', source: 'postEphemeral' }]),
  );
});

test('an event is acknowledged, and a mention answered once, however often it comes', async () => {
  const { slack, send } = await listening();
  for (const retry of ['1', '2']) {
    // The first that arrives may be a repetition already.
    expect((await send.event(MENTION, { headers: { 'x-slack-retry-num': retry } })).status).toBe(200);
  }
  await vi.waitFor(() => expect(slack.ephemerals()).toHaveLength(1));
  expect(slack.calls('chat.postEphemeral')).toHaveLength(1);
});

test('a message that was edited is not carried out, and what a bot says is not answered', async () => {
  const { slack, desk, send } = await listening();
  const { event } = MENTION;
  await send.event({ ...MENTION, event: { ...event, bot_id: 'B0OTHER', text: '<@U0LOCALBOT> launch kpro5 dflash' } });
  const edited = { ...event, text: '<@U0LOCALBOT> launch kpro5 dflash', edited: { user: 'U0ALICE', ts: '3.0' } };
  await send.event({ ...MENTION, event_id: 'Ev2', event: edited });
  await vi.waitFor(() => expect(slack.ephemerals()).toHaveLength(1));
  expect(slack.ephemerals()).toMatchObject([{ text: expect.stringContaining('edited message is not carried out') }]);
  expect(desk.orders).toEqual([]);
});

test("Slack's question whether this is the address is answered, when it is signed", async () => {
  const { send } = await listening();
  const question = { type: 'url_verification', challenge: 'abc', token: 'legacy' };
  expect(await (await send.event(question)).json()).toEqual({ challenge: 'abc' });
  expect((await send.event(question, { secret: 'another' })).status).toBe(401);
});

test.each([
  ['with another secret', { secret: 'f'.repeat(32) }],
  ['of ten minutes ago', { ageS: 600 }],
  ['with a signature of another kind', { headers: { 'x-slack-signature': 'v1=00' } }],
  ['without the number of a time', { headers: { 'x-slack-request-timestamp': 'now' } }],
])('a request signed %s is turned away, and nothing is done', async (_, how) => {
  const { slack, desk, send } = await listening();
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
  const answers = [await send.command(LAUNCH, how), await send.interaction(stopClick('1.0'), how)];
  answers.push(await send.event(MENTION, how));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect([desk.orders, desk.stops.size, slack.ephemerals()]).toEqual([[], 0, []]);
});

test('a request that is sent again within the five minutes is answered alike and carried out once', async () => {
  const { desk, send } = await listening();
  const [first, second] = [await send.command(LAUNCH), await send.command(LAUNCH, { ageS: 10 })];
  expect(await second.json()).toEqual(await first.json());
  expect(desk.orders).toHaveLength(1);
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
});

const VIEW_OF_OURS = { id: 'V1', callback_id: 'x', private_metadata: '', state: { values: {} } };

test.each([
  {
    type: 'block_suggestion',
    action_id: 'a',
    block_id: 'b',
    value: 'k',
    container: { type: 'view' },
    view: VIEW_OF_OURS,
  },
  { type: 'shortcut', callback_id: 'x' },
  { type: 'message_action', callback_id: 'x', message: { ts: '1.0' } },
  { type: 'view_closed', view: VIEW_OF_OURS },
  { type: 'interactive_message', callback_id: 'x', actions: [{ type: 'button', name: 'a', value: 'b' }] },
  { type: 'dialog_submission', callback_id: 'x', submission: {} },
  {
    container: { type: 'view' },
    view: VIEW_OF_OURS,
    actions: [{ type: 'button', action_id: 'a', block_id: 'b', value: 'c' }],
  },
  {
    container: { type: 'message' },
    message: { ts: '1.0' },
    actions: [{ type: 'overflow', action_id: 'a', block_id: 'b' }],
  },
])('a $type that is none of ours is acknowledged: nobody sees an error', async (payload) => {
  const { send } = await listening();
  expect((await send.interaction({ ...CLICK, ...payload })).status).toBe(200);
});

test('all else at that port is nothing, but for the health', async () => {
  const { origin } = await listening();
  const at = async (path: string, method = 'GET') => (await fetch(`${origin}${path}`, { method })).status;
  expect([await at('/healthz'), await at('/'), await at('/slack/events'), await at('/other', 'POST')]).toEqual([
    200, 404, 404, 404,
  ]);
});

test('a port that is taken is told by its variable', async () => {
  const port = await findFreePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  const entrance = { kind: 'http', signingSecret: SIGNING_SECRET, host: '127.0.0.1', port } as const;
  const { start } = await setUpApp({ entrance });
  const error = await start().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(
    `VIGIL_HTTP_PORT and VIGIL_HTTP_HOST: found ${port} and 127.0.0.1, where Vigil can't listen (EADDRINUSE)`,
  );
});

test('a stop waits for the answer under way', async () => {
  const { desk, send, app } = await listening();
  const asked: (() => void)[] = [];
  desk.runs = () => new Promise((resolve) => asked.push(() => resolve([])));
  const answer = send.command({ ...LAUNCH, text: 'status' });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const stopped = app.stop();
  asked[0]?.();
  expect((await answer).status).toBe(200);
  await stopped;
  await expect(send.command(LAUNCH)).rejects.toThrow();
});
