import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SlackStandIn, startSlack } from '../../../rehearsal/slack/server.ts';

const ops = 'C0OPS';
let slack: SlackStandIn;
let client: WebClient;

beforeAll(async () => {
  slack = await startSlack({
    channels: [
      { id: ops, name: 'gpu-ops', botIsMember: true },
      { id: 'C0OTHER', name: 'other', botIsMember: false },
      { id: 'C0SECRET', name: 'secret', botIsMember: false, private: true },
    ],
    users: [
      { id: 'U0ALICE', name: 'alice', kind: 'member' },
      { id: 'U0GUEST', name: 'guest', kind: 'guest' },
      { id: 'U0FAR', name: 'far', kind: 'member', teamId: 'T0FAR' },
    ],
  });
  client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
});
afterAll(() => slack.stop());

const root = async (text: string) => (await client.chat.postMessage({ channel: ops, text })).ts ?? '';
const last = () => {
  const message = slack.messages(ops).at(-1);
  if (message === undefined) throw new Error('nothing was posted');
  return message;
};

test('tokens are for what they are for', async () => {
  const withToken = (token: string) => new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
  await expect(withToken('xoxb-other').auth.test()).rejects.toThrow('invalid_auth');
  await expect(withToken(slack.appToken).auth.test()).rejects.toThrow('not_allowed_token_type');
  await expect(client.apps.connections.open()).rejects.toThrow('not_allowed_token_type');
  await expect(client.auth.test()).resolves.toMatchObject({ user_id: slack.botUserId, team_id: 'T0LOCAL' });
  expect(JSON.stringify(slack.calls())).not.toContain(slack.botToken);
});

test.each([
  ['C0OTHER', 'not_in_channel'],
  ['C0SECRET', 'channel_not_found'],
  ['C0NONE', 'channel_not_found'],
])('a post to %s is refused with %s', async (channel, error) => {
  await expect(client.chat.postMessage({ channel, text: 'x' })).rejects.toThrow(error);
});

test('conversations.info tells membership, and hides a private channel without the app', async () => {
  await expect(client.conversations.info({ channel: 'C0OTHER' })).resolves.toMatchObject({
    channel: { is_member: false },
  });
  await expect(client.conversations.info({ channel: 'C0SECRET' })).rejects.toThrow('channel_not_found');
});

test('users.info tells guests and people of other teams', async () => {
  await expect(client.users.info({ user: 'U0GUEST' })).resolves.toMatchObject({
    user: { is_restricted: true, team_id: 'T0LOCAL' },
  });
  await expect(client.users.info({ user: 'U0FAR' })).resolves.toMatchObject({
    user: { is_restricted: false, team_id: 'T0FAR' },
  });
  await expect(client.users.info({ user: 'U0NONE' })).rejects.toThrow('user_not_found');
});

test('a post to a user id opens the direct message', async () => {
  const { channel = '' } = await client.chat.postMessage({ channel: 'U0ALICE', text: 'just you' });
  expect(channel).toMatch(/^D/);
  expect(slack.messages(channel)).toMatchObject([{ text: 'just you' }]);
});

test('a reply to a deleted root lands at top level with ok: true', async () => {
  const ts = await root('soon gone');
  slack.deleteMessage(ops, ts);
  const reply = await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'stray' });
  expect(reply.message).not.toHaveProperty('thread_ts');
  expect(last()).toMatchObject({ text: 'stray', thread: null });
  await expect(client.chat.update({ channel: ops, ts, text: 'x' })).rejects.toThrow('message_not_found');
  await expect(client.conversations.replies({ channel: ops, ts })).rejects.toThrow('thread_not_found');
});

test('metadata is kept and shown only on request', async () => {
  const metadata = { event_type: 'it', event_payload: { key: 'k1' } };
  const { ts = '' } = await client.chat.postMessage({ channel: ops, text: 'marked', metadata });
  const [plain] = (await client.conversations.history({ channel: ops, limit: 1 })).messages ?? [];
  expect(plain).toMatchObject({ ts, text: 'marked' });
  expect(plain).not.toHaveProperty('metadata');
  const [full] =
    (await client.conversations.history({ channel: ops, limit: 1, include_all_metadata: true })).messages ?? [];
  expect(full).toMatchObject({ ts, metadata });
  await client.chat.update({ channel: ops, ts, text: 'edited' });
  expect(last()).toMatchObject({ text: 'edited', metadata });
});

test('history pages newest first without replies; replies come oldest first after their root', async () => {
  const before = await root('before');
  const first = await root('first');
  await client.chat.postMessage({ channel: ops, thread_ts: first, text: 'reply 1' });
  const second = await root('second');
  await client.chat.postMessage({ channel: ops, thread_ts: first, text: 'reply 2' });
  const page = await client.conversations.history({ channel: ops, oldest: before, limit: 1 });
  expect(page).toMatchObject({ has_more: true, messages: [{ ts: second }] });
  const cursor = page.response_metadata?.next_cursor ?? '';
  const next = await client.conversations.history({ channel: ops, oldest: before, limit: 1, cursor });
  expect(next).toMatchObject({ has_more: false, messages: [{ ts: first, reply_count: 2 }] });
  const thread = await client.conversations.replies({ channel: ops, ts: first });
  expect(thread.messages?.map(({ text }) => text)).toEqual(['first', 'reply 1', 'reply 2']);
});

test('times of messages are unique and increase', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => root(`burst ${n}`)));
  const stamps = slack.messages(ops).map(({ ts }) => Number(ts));
  expect(new Set(stamps).size).toBe(stamps.length);
  expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
});

test('text is cut at 40,000 characters in a post and refused over 4,000 in an edit', async () => {
  const ts = await root('x'.repeat(41_000));
  expect(last().text).toHaveLength(40_000);
  await expect(client.chat.update({ channel: ops, ts, text: 'x'.repeat(4001) })).rejects.toThrow('msg_too_long');
});

test('an edit with text alone leaves the blocks as they were', async () => {
  const blocks = [{ type: 'divider' as const }];
  const { ts = '' } = await client.chat.postMessage({ channel: ops, text: 'a', blocks });
  await client.chat.update({ channel: ops, ts, text: 'b' });
  expect(last()).toMatchObject({ text: 'b', blocks: [{ type: 'divider' }] });
});

test('a reply that is broadcast stands in its thread and in the channel, as Slack lists it', async () => {
  const ts = await root('a card');
  const reply = { channel: ops, thread_ts: ts, text: 'it failed' };
  await client.chat.postMessage({ ...reply, reply_broadcast: true });
  expect(last()).toMatchObject({ thread: ts, broadcast: true });
  const { messages: listed = [] } = await client.conversations.history({ channel: ops, limit: 2 });
  expect(listed).toMatchObject([
    { text: 'it failed', subtype: 'thread_broadcast', thread_ts: ts, root: { ts, text: 'a card', reply_count: 1 } },
    { text: 'a card' },
  ]);
  const { messages: thread = [] } = await client.conversations.replies({ channel: ops, ts });
  expect(thread.map(({ text }) => text)).toEqual(['a card', 'it failed']);
  await client.chat.postMessage({ ...reply, reply_broadcast: false });
  expect(last()).toMatchObject({ thread: ts, broadcast: false });
});

test('a broadcast needs a thread: without one it is refused, and after its root it is an ordinary message', async () => {
  const alone = client.apiCall('chat.postMessage', { channel: ops, text: 'x', reply_broadcast: true });
  await expect(alone).rejects.toMatchObject({
    data: {
      error: 'invalid_arguments',
      response_metadata: {
        messages: ['[ERROR] missing required field: thread_ts [json-pointer:/reply_broadcast]'],
      },
    },
  });
  const ts = await root('gone soon');
  slack.deleteMessage(ops, ts);
  await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'x', reply_broadcast: true });
  expect(last()).toMatchObject({ thread: null, broadcast: false });
});

test('an edit notifies nobody, a post does', async () => {
  const ts = await root('<@U0ALICE> it failed');
  expect(last().notified).toEqual([{ kind: 'user', id: 'U0ALICE', where: 'text' }]);
  await client.chat.update({ channel: ops, ts, text: '<!channel> now' });
  expect(last().notified).toEqual([{ kind: 'user', id: 'U0ALICE', where: 'text' }]);
  expect(last().mentions).toEqual([{ kind: 'channel', id: '', where: 'text' }]);
});

test('invalid blocks are refused with a pointer', async () => {
  const text = { type: 'mrkdwn' as const, text: 'x'.repeat(3001) };
  const post = client.chat.postMessage({
    channel: ops,
    text: 'x',
    blocks: [{ type: 'divider' }, { type: 'section', text }],
  });
  await expect(post).rejects.toMatchObject({
    data: {
      error: 'invalid_blocks',
      response_metadata: { messages: ['[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]'] },
    },
  });
});

test('a permalink leads to a page of the stand-in', async () => {
  const ts = await root('linked');
  const { permalink = '' } = await client.chat.getPermalink({ channel: ops, message_ts: ts });
  expect(permalink).toBe(`${slack.pageUrl}archives/${ops}/p${ts.replace('.', '')}`);
  expect((await fetch(permalink)).status).toBe(200);
});

test('an unknown method and a missing argument are named', async () => {
  await expect(client.apiCall('chat.shout')).rejects.toThrow('unknown_method');
  await expect(client.apiCall('chat.delete', { channel: ops })).rejects.toThrow('invalid_arguments');
});
