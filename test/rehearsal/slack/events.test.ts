import type { App } from '@slack/bolt';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SlackOptions } from '../../../rehearsal/slack/server.ts';
import { toMessageText, toTokens } from '../../../rehearsal/slack/tokens.ts';
import { Workspace } from '../../../rehearsal/slack/workspace.ts';
import { startBolt } from './bolt.ts';
import { ALICE, BEN, OPS, openSlack } from './stage.ts';

const PATIENCE = { timeout: 10_000, interval: 20 };

async function withApp(listen: (app: App) => void, options: Partial<SlackOptions> = {}) {
  const { slack, client } = await openSlack(options);
  const bolt = await startBolt(slack, { listen });
  onTestFinished(() => bolt.stop());
  return { slack, client, bolt };
}

test('a mention in a thread reaches the app with its thread, and is read by all', async () => {
  const heard: unknown[] = [];
  const { slack, client } = await withApp((app) =>
    app.event('app_mention', async ({ event, body }) => {
      heard.push([event.user, event.channel, event.thread_ts, event.text, body.event_id]);
    }),
  );
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  const outcome = await slack.talk({ user: ALICE, channel: OPS, thread: ts, text: '@vigil log 1 < 2 & “x”' });
  expect(outcome).toMatchObject({ acked: true, error: null });
  const text = `<@${slack.botUserId}> log 1 &lt; 2 &amp; “x”`;
  expect(heard).toEqual([[ALICE, OPS, ts, text, expect.stringMatching(/^Ev/)]]);
  expect(slack.messages(OPS).at(-1)).toMatchObject({ author: ALICE, thread: ts, text, byApp: false });
});

test('the app does not hear what is said without it, or where it is not', async () => {
  const heard: string[] = [];
  const { slack } = await withApp((app) => app.event('app_mention', async ({ event }) => void heard.push(event.text)));
  const mention = `<@${slack.botUserId}> status`;
  expect(await slack.talk({ user: ALICE, channel: OPS, text: 'status?' })).toBeNull();
  expect(await slack.talk({ user: ALICE, channel: 'C0OTHER', text: mention })).toBeNull();
  expect(await slack.talk({ user: ALICE, channel: OPS, text: mention })).toMatchObject({ acked: true });
  expect(heard).toEqual([mention]);
  await expect(slack.talk({ user: ALICE, channel: OPS, thread: '1.0', text: 'x' })).rejects.toThrow('no thread 1.0');
});

test('an event that comes again has the same id and says that it is a retry', async () => {
  const heard: unknown[][] = [];
  const { slack } = await withApp((app) =>
    app.event('app_mention', async ({ body, context }) => void heard.push([body.event_id, context.retryNum])),
  );
  const outcome = await slack.talk({ user: ALICE, channel: OPS, text: '@vigil status' });
  slack.connections.redeliver(outcome?.envelopeId);
  await vi.waitFor(() => expect(heard).toHaveLength(2), PATIENCE);
  const [first, second] = heard;
  expect(first).toEqual([expect.any(String), 0]);
  expect(second).toEqual([first?.[0], 1]);
});

test('an event that found no connection can still come, as a retry only', async () => {
  const { slack } = await openSlack();
  const outcome = await slack.talk({ user: BEN, channel: OPS, text: '@vigil status' });
  expect(outcome).toMatchObject({ acked: false, error: 'dispatch_failed' });
  const heard: unknown[] = [];
  const bolt = await startBolt(slack, {
    listen: (app) =>
      app.event('app_mention', async ({ event, context }) => void heard.push([event.user, context.retryNum])),
  });
  onTestFinished(() => bolt.stop());
  slack.connections.redeliver(outcome?.envelopeId);
  await vi.waitFor(() => expect(heard).toEqual([[BEN, 1]]), PATIENCE);
});

test('the app is told that it was uninstalled and that its tokens were revoked', async () => {
  const heard: string[] = [];
  const { slack } = await withApp((app) => {
    app.event('app_uninstalled', async ({ event }) => void heard.push(event.type));
    app.event('tokens_revoked', async ({ event }) => void heard.push(`${event.type} ${event.tokens.bot}`));
  });
  expect(await slack.tell('app_uninstalled')).toMatchObject({ acked: true });
  expect(await slack.tell('tokens_revoked')).toMatchObject({ acked: true });
  expect(heard).toEqual(['app_uninstalled', `tokens_revoked ${slack.botUserId}`]);
});

test('being rate limited is told without an inner event', async () => {
  const { slack } = await openSlack();
  await slack.tell('app_rate_limited');
  const [envelope] = slack.connections.envelopes();
  expect(envelope).toMatchObject({ type: 'events_api', payload: { type: 'app_rate_limited', api_app_id: 'A0LOCAL' } });
  expect(envelope?.payload).not.toHaveProperty('event');
});

test('names become tokens as Slack makes them, labelled in commands and bare in messages', () => {
  const workspace = new Workspace({
    teamId: 'T1',
    now: Date.now,
    app: { appId: 'A1', botId: 'B1', userId: 'U1', name: 'vigil' },
    channels: [
      { id: 'C1', name: 'ops', kind: 'public', botIsMember: true, isArchived: false, members: null, user: null },
    ],
    users: [{ id: 'U2', name: 'alice', kind: 'member', teamId: 'T1' }],
    groups: [{ id: 'S1', handle: 'gpu-team', members: [] }],
  });
  const typed = '@alice @gpu-team #ops @nobody http://a.example';
  expect(toTokens(typed, workspace)).toBe('<@U2|alice> <!subteam^S1|@gpu-team> <#C1|ops> @nobody <http://a.example>');
  expect(toMessageText(`${typed} <@U2> <b>`, workspace)).toBe(
    '<@U2> <!subteam^S1> <#C1> @nobody <http://a.example> <@U2> &lt;b&gt;',
  );
});
