import { randomUUID } from 'node:crypto';
import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { afterEach, expect, test, vi } from 'vitest';
import { type SlackStandIn, startSlack } from '../../../rehearsal/slack/server.ts';
import { startBolt } from './bolt.ts';

const ops = 'C0OPS';
const alice = 'U0ALICE';
const releasers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const release of releasers.splice(0).reverse()) await release();
});

async function setUp(listen: (app: App) => void, options: { receivers?: number; ackLimitMs?: number } = {}) {
  const slack = await startSlack({
    channels: [
      { id: ops, name: 'gpu-ops', botIsMember: true },
      { id: 'C0OTHER', name: 'other', botIsMember: false },
      { id: 'C0SECRET', name: 'secret', botIsMember: false, private: true },
    ],
    users: [
      { id: alice, name: 'alice', kind: 'member' },
      { id: 'U0GUEST', name: 'guest', kind: 'guest' },
    ],
    ...(options.ackLimitMs !== undefined && { ackLimitMs: options.ackLimitMs }),
  });
  releasers.push(() => slack.stop());
  const { app, stop } = await startBolt(slack, {
    listen,
    ...(options.receivers !== undefined && { receivers: options.receivers }),
  });
  releasers.push(stop);
  return { slack, app };
}

const type = (slack: SlackStandIn, text: string, channel = ops) => slack.command({ user: alice, channel, text });

test('a command reaches the app and its ack is shown to the user alone', async () => {
  const seen: unknown[] = [];
  const { slack } = await setUp((app) => {
    app.command('/vllm', async ({ command, ack }) => {
      seen.push([command.command, command.text, command.user_id, command.channel_id, command.team_id]);
      await ack(`Understood: ${command.text}`);
    });
  });
  const outcome = await type(slack, '/vllm launch kpro5 dflash');
  expect(outcome).toMatchObject({ acked: true, ack: { text: 'Understood: launch kpro5 dflash' }, error: null });
  expect(seen).toEqual([['/vllm', 'launch kpro5 dflash', alice, ops, 'T0LOCAL']]);
  expect(slack.ephemerals()).toMatchObject([
    { user: alice, channel: ops, source: 'ack', text: 'Understood: launch kpro5 dflash' },
  ]);
  expect(slack.messages(ops)).toEqual([]);
});

test('an in_channel ack shows the typed command to everybody', async () => {
  const { slack } = await setUp((app) => {
    app.command('/vllm', ({ ack }) => ack({ response_type: 'in_channel', text: 'on it' }));
  });
  await type(slack, '/vllm status');
  expect(slack.messages(ops)).toMatchObject([
    { author: alice, text: '/vllm status', byApp: false },
    { text: 'on it', byApp: true },
  ]);
});

test('a command without an ack ends in operation_timeout at the user', async () => {
  const { slack } = await setUp((app) => app.command('/vllm', async () => {}), { ackLimitMs: 50 });
  expect(await type(slack, '/vllm status')).toMatchObject({ acked: false, error: 'operation_timeout', afterMs: 50 });
  expect(slack.ephemerals()).toMatchObject([
    { source: 'slack', text: '/vllm failed with the error "operation_timeout"' },
  ]);
});

test('a command with no app connected ends in dispatch_failed', async () => {
  const slack = await startSlack({
    channels: [{ id: ops, name: 'ops', botIsMember: true }],
    users: [{ id: alice, name: 'a', kind: 'member' }],
  });
  releasers.push(() => slack.stop());
  expect(await type(slack, '/vllm status')).toMatchObject({ acked: false, error: 'dispatch_failed' });
});

test('an ack that Slack would refuse ends in an error at the user', async () => {
  const { slack } = await setUp((app) => {
    app.command('/vllm', ({ ack }) =>
      ack({ text: 'x', blocks: [{ type: 'header', text: { type: 'plain_text', text: '' } }] }),
    );
  });
  expect(await type(slack, '/vllm status')).toMatchObject({ acked: true, error: 'invalid_command_response' });
});

test('a root, its replies, an edit with buttons, and a click on one of them', async () => {
  const clicks: unknown[] = [];
  const { slack, app } = await setUp((bolt) => {
    bolt.action<BlockAction<ButtonAction>>('stop', async ({ ack, action, body, respond }) => {
      await ack();
      clicks.push([action.value, body.user.id, body.channel?.id, body.message?.ts, body.container.message_ts]);
      await respond({ text: 'Stopping.', replace_original: false });
    });
  });
  const root = await app.client.chat.postMessage({
    channel: ops,
    text: 'starting',
    metadata: { event_type: 'it', event_payload: { n: 1 } },
  });
  const ts = root.ts ?? '';
  await app.client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'first reply' });
  const button = {
    type: 'button' as const,
    action_id: 'stop',
    value: 'it-1',
    text: { type: 'plain_text' as const, text: 'Stop' },
  };
  await app.client.chat.update({
    channel: ops,
    ts,
    text: 'running',
    blocks: [{ type: 'actions', elements: [button] }],
  });
  expect(slack.messages(ops)).toMatchObject([
    { ts, text: 'running', edits: 1, thread: null, metadata: { event_type: 'it', event_payload: { n: 1 } } },
    { text: 'first reply', thread: ts, edits: 0 },
  ]);
  expect(await slack.click({ user: alice, channel: ops, ts, actionId: 'stop' })).toMatchObject({ acked: true });
  await vi.waitFor(() => expect(slack.ephemerals()).toMatchObject([{ text: 'Stopping.', source: 'response_url' }]));
  expect(clicks).toEqual([['it-1', alice, ops, ts, ts]]);
  await expect(slack.click({ user: alice, channel: ops, ts, actionId: 'start' })).rejects.toThrow(
    'its buttons are: stop',
  );
});

test('a modal that was opened can be sent', async () => {
  const { slack } = await setUp((app) => {
    app.command('/vllm', async ({ ack, client, command }) => {
      await ack();
      const title = { type: 'plain_text' as const, text: 'Launch' };
      await client.views.open({
        trigger_id: command.trigger_id,
        view: { type: 'modal', callback_id: 'launch', title, blocks: [] },
      });
    });
    app.view('launch', ({ ack }) => ack({ response_action: 'clear' }));
  });
  await type(slack, '/vllm');
  await vi.waitFor(() => expect(slack.views()).toHaveLength(1));
  const viewId = slack.views()[0]?.id ?? '';
  expect(await slack.submit({ user: alice, viewId, values: {} })).toMatchObject({
    acked: true,
    ack: { response_action: 'clear' },
  });
});

test('a response_url works five times', async () => {
  let url = '';
  const { slack } = await setUp((app) => {
    app.command('/vllm', async ({ ack, command }) => {
      url = command.response_url;
      await ack();
    });
  });
  await type(slack, '/vllm help', 'C0OTHER');
  const statuses: number[] = [];
  for (let use = 0; use < 6; use++) {
    const body = JSON.stringify({ text: `answer ${use}` });
    statuses.push((await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
  expect(slack.ephemerals()).toHaveLength(5);
});

test('the same envelope sent twice is heard twice under one trigger_id', async () => {
  const triggers: string[] = [];
  const { slack } = await setUp((app) => {
    app.command('/vllm', async ({ ack, command }) => {
      triggers.push(command.trigger_id);
      await ack();
    });
  });
  const { triggerId, envelopeId } = await type(slack, '/vllm status');
  slack.connections.redeliver(envelopeId);
  await vi.waitFor(() => expect(triggers).toEqual([triggerId, triggerId]));
});

test('each envelope goes to one of two connections, and one answers while the other is away', async () => {
  const { slack } = await setUp((app) => app.command('/vllm', ({ ack }) => ack()), { receivers: 2 });
  expect(slack.connections.open).toBe(2);
  await type(slack, '/vllm one');
  await type(slack, '/vllm two');
  const [one, two] = slack.connections.envelopes();
  expect([...(one?.connections ?? []), ...(two?.connections ?? [])].sort()).toEqual([1, 2]);
  slack.connections.disconnect('refresh_requested', 1);
  expect(slack.connections.open).toBe(1);
  expect(await type(slack, '/vllm three')).toMatchObject({ acked: true });
});

test('a connection that was cut comes back', { timeout: 20_000 }, async () => {
  const { slack } = await setUp((app) => app.command('/vllm', ({ ack }) => ack()));
  slack.connections.cut();
  await vi.waitFor(() => expect(slack.connections.open).toBe(0));
  await vi.waitFor(() => expect(slack.connections.open).toBe(1), { timeout: 15_000, interval: 100 });
  expect(await type(slack, '/vllm status')).toMatchObject({ acked: true });
});

test('faults: rate limit, error, 500, lost and held responses, once each', async () => {
  const { slack, app } = await setUp(() => {});
  const post = (text: string) => app.client.chat.postMessage({ channel: ops, text });
  slack.faults.limit('chat.postMessage', 1, 7);
  await expect(post('limited')).rejects.toMatchObject({ retryAfter: 7 });
  slack.faults.fail('chat.postMessage', 'is_archived', 1);
  await expect(post('refused')).rejects.toThrow('is_archived');
  slack.faults.status('chat.postMessage', 503, 1);
  await expect(post('broken')).rejects.toMatchObject({ statusCode: 503 });
  expect(slack.messages(ops)).toEqual([]);
  slack.faults.loseResponse('chat.postMessage', 1);
  await expect(post('cut')).rejects.toThrow();
  slack.faults.loseResponse('chat.postMessage', 1, 'silence');
  await expect(post('silent')).rejects.toThrow();
  const hold = slack.faults.holdResponse('chat.postMessage');
  const held = post('held');
  await vi.waitFor(() => expect(hold.isHeld).toBe(true));
  expect(slack.messages(ops).map(({ text }) => text)).toEqual(['cut', 'silent', 'held']);
  hold.release();
  await expect(held).resolves.toMatchObject({ ok: true });
  const outcomes = slack.calls('chat.postMessage').map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['ratelimited', 'is_archived', '503', 'lost', 'lost', 'ok']);
});

test('every change is announced, and a snapshot that a listener got stays as it was', async () => {
  const { slack, app } = await setUp(() => {});
  const seen: string[] = [];
  const off = slack.on((change) =>
    seen.push('message' in change ? `${change.kind} ${change.message.text}` : change.kind),
  );
  const { ts = '' } = await app.client.chat.postMessage({ channel: ops, text: 'one' });
  await app.client.chat.update({ channel: ops, ts, text: 'two' });
  await app.client.reactions.add({ channel: ops, timestamp: ts, name: 'eyes' });
  await app.client.chat.delete({ channel: ops, ts });
  off();
  await app.client.chat.postMessage({ channel: ops, text: randomUUID() });
  expect(seen).toEqual(['posted one', 'edited two', 'reacted two', 'deleted two']);
});
