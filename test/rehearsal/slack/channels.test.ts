import { expect, test } from 'vitest';
import { ALICE, BEN, OPS, openSlack } from './stage.ts';

test('an archived channel takes no message and no edit, and can still be read', async () => {
  const { slack, client } = await openSlack();
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  slack.archive(OPS);
  await expect(client.chat.postMessage({ channel: OPS, text: 'x' })).rejects.toThrow('is_archived');
  await expect(client.chat.update({ channel: OPS, ts, text: 'x' })).rejects.toThrow('is_inactive');
  await expect(client.reactions.add({ channel: OPS, timestamp: ts, name: 'eyes' })).rejects.toThrow('is_archived');
  await expect(client.conversations.info({ channel: OPS })).resolves.toMatchObject({ channel: { is_archived: true } });
  await expect(client.conversations.history({ channel: OPS })).resolves.toMatchObject({ messages: [{ ts }] });
  slack.archive(OPS, false);
  await expect(client.chat.update({ channel: OPS, ts, text: 'x' })).resolves.toMatchObject({ ok: true });
});

test('whoever is thrown out of a channel can neither write nor read there', async () => {
  const { slack, client } = await openSlack();
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  slack.kick(OPS);
  await expect(client.chat.postMessage({ channel: OPS, text: 'x' })).rejects.toThrow('not_in_channel');
  await expect(client.chat.update({ channel: OPS, ts, text: 'x' })).rejects.toThrow('not_in_channel');
  await expect(client.conversations.replies({ channel: OPS, ts })).rejects.toThrow('not_in_channel');
  slack.kick('C0FEW');
  await expect(client.chat.postMessage({ channel: 'C0FEW', text: 'x' })).rejects.toThrow('channel_not_found');
  slack.invite(OPS);
  await expect(client.chat.update({ channel: OPS, ts, text: 'x' })).resolves.toMatchObject({ ok: true });
});

test('a private word reaches only who is in the channel', async () => {
  const { slack, client } = await openSlack();
  const whisper = (user: string) => client.chat.postEphemeral({ channel: 'C0FEW', user, text: 'psst' });
  await whisper(ALICE);
  await expect(whisper(BEN)).rejects.toThrow('user_not_in_channel');
  await expect(whisper('U0NOBODY')).rejects.toThrow('user_not_in_channel');
  expect(slack.ephemerals()).toMatchObject([{ user: ALICE, channel: 'C0FEW', source: 'postEphemeral' }]);
});

test('a private word in a thread without replies is shown to nobody', async () => {
  const { slack, client } = await openSlack();
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  const whisper = () => client.chat.postEphemeral({ channel: OPS, user: ALICE, thread_ts: ts, text: 'psst' });
  await whisper();
  await slack.talk({ user: ALICE, channel: OPS, thread: ts, text: 'hm' });
  await whisper();
  expect(slack.ephemerals().map(({ isSeen }) => isSeen)).toEqual([false, true]);
});

test('a user group tells who is in it', async () => {
  const { client } = await openSlack({ groups: [{ id: 'S0GPU', handle: 'gpu-team', members: [ALICE] }] });
  await expect(client.usergroups.users.list({ usergroup: 'S0GPU' })).resolves.toMatchObject({ users: [ALICE] });
  await expect(client.usergroups.users.list({ usergroup: 'S0NONE' })).rejects.toThrow('no_such_subteam');
});

test('revoked tokens are good for nothing until they are restored', async () => {
  const { slack, client } = await openSlack();
  slack.revoke();
  await expect(client.auth.test()).rejects.toThrow('token_revoked');
  await expect(client.apps.connections.open({ token: slack.appToken })).rejects.toThrow('token_revoked');
  await expect(client.auth.test({ token: 'xoxb-other' })).rejects.toThrow('invalid_auth');
  slack.restore();
  await expect(client.auth.test()).resolves.toMatchObject({ ok: true });
});

test('a workspace can refuse a kind of block that others take', async () => {
  const { slack, client } = await openSlack({ refuses: ['plan'] });
  const blocks = [{ type: 'divider' }, { type: 'plan', title: 'Phases' }];
  await expect(client.apiCall('chat.postMessage', { channel: OPS, text: 'x', blocks })).rejects.toMatchObject({
    data: { error: 'invalid_blocks', errors: ['unsupported type: plan [json-pointer:/blocks/1/type]'] },
  });
  expect(slack.messages(OPS)).toEqual([]);
});

test('an edit can not send a reply to the channel and change it at once', async () => {
  const { client } = await openSlack();
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  const edit = client.chat.update({ channel: OPS, ts, text: 'x', reply_broadcast: true });
  await expect(edit).rejects.toThrow('no_dual_broadcast_content_update');
});
