import type { WebClient } from '@slack/web-api';
import { expect, test, vi } from 'vitest';
import type { SlackStandIn } from '../../../rehearsal/slack/server.ts';
import { toPlainText } from '../../../rehearsal/slack/text.ts';
import { fakeClock, OPS, openSlack } from './stage.ts';

const LOG = 'INFO starting\nERROR out of memory\n';

/** The first two steps: a file that nobody sees yet. */
async function upload(client: WebClient, text = LOG): Promise<string> {
  const length = Buffer.byteLength(text);
  const { file_id: id = '', upload_url: url = '' } = await client.files.getUploadURLExternal({
    filename: 'kpro5-1.log',
    length,
    snippet_type: 'text',
  });
  expect((await send(url, text)).status).toBe(200);
  return id;
}

const send = (url: string, body: string) => fetch(url, { method: 'POST', body });

const share = (client: WebClient, id: string, more: Record<string, unknown> = {}) =>
  client.apiCall('files.completeUploadExternal', { files: [{ id, title: 'The end' }], channel_id: OPS, ...more });

const withFiles = (slack: SlackStandIn) => slack.messages(OPS).filter(({ files }) => files.length > 0);

test('a file is shared in three steps, stands in its thread after a while, and reads as one', async () => {
  const { slack, client } = await openSlack();
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  const id = await upload(client);
  const completed = await share(client, id, { thread_ts: ts, initial_comment: 'The log ends here.' });
  expect(completed).toMatchObject({ files: [{ id, title: 'The end', shares: {} }] });
  expect(completed).not.toHaveProperty('ts');
  expect(withFiles(slack)).toEqual([]);
  await vi.waitFor(() => expect(withFiles(slack)).toHaveLength(1));
  const [message] = withFiles(slack);
  expect(message).toMatchObject({
    thread: ts,
    byApp: true,
    text: 'The log ends here.',
    files: [{ id, name: 'kpro5-1.log', title: 'The end', text: LOG }],
  });
  expect(message && toPlainText(message)).toBe('The log ends here.\n[file kpro5-1.log, 34 bytes]');
  const { messages = [] } = await client.conversations.replies({ channel: OPS, ts });
  expect(messages.at(-1)?.files).toMatchObject([{ id, name: 'kpro5-1.log', size: 34 }]);
});

test("the SDK's own uploadV2 works, with its multipart body", async () => {
  const { slack, client } = await openSlack();
  await client.files.uploadV2({ channel_id: OPS, filename: 'a.txt', content: 'naïve ✓', initial_comment: 'one' });
  await vi.waitFor(() => expect(withFiles(slack)).toMatchObject([{ files: [{ name: 'a.txt', text: 'naïve ✓' }] }]));
});

test('files.info finds no shares at first, although the message stands', async () => {
  const { slack, client } = await openSlack({ sharing: { appearAfterMs: 0, emptyLooks: 2 } });
  const id = await upload(client);
  await share(client, id);
  await vi.waitFor(() => expect(withFiles(slack)).toHaveLength(1));
  const look = async () => (await client.files.info({ file: id })).file?.shares;
  expect(await look()).toEqual({});
  expect(await look()).toEqual({});
  expect(await look()).toMatchObject({ public: { [OPS]: [{ ts: withFiles(slack)[0]?.ts }] } });
});

test('a share can be answered with ok and never be seen', async () => {
  const { slack, client } = await openSlack({ sharing: { appearAfterMs: 0, emptyLooks: 0, lost: 1 } });
  const lost = await upload(client);
  expect(await share(client, lost)).toMatchObject({ ok: true });
  const second = await upload(client);
  await share(client, second);
  await vi.waitFor(() => expect(withFiles(slack)).toMatchObject([{ files: [{ id: second }] }]));
  expect((await client.files.info({ file: lost })).file?.shares).toEqual({});
});

test('a share that is asked for twice is seen twice', async () => {
  const { slack, client } = await openSlack();
  const id = await upload(client);
  slack.faults.loseResponse('files.completeUploadExternal', 1);
  await expect(share(client, id)).rejects.toThrow();
  await share(client, id);
  await vi.waitFor(() => expect(withFiles(slack)).toHaveLength(2));
});

test('a file for the thread of a deleted root lands at top level', async () => {
  const { slack, client } = await openSlack();
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
  slack.deleteMessage(OPS, ts);
  await share(client, await upload(client), { thread_ts: ts });
  await vi.waitFor(() => expect(withFiles(slack)).toMatchObject([{ thread: null }]));
});

test('what Slack does not take is refused by its name', async () => {
  const { slack, client } = await openSlack();
  const announce = (length: number) =>
    client.files.getUploadURLExternal({ filename: 'a.log', length, snippet_type: 'text' });
  await expect(announce(0)).rejects.toThrow('missing_argument');
  await expect(announce(1_000_001)).rejects.toThrow('snippet_too_large');
  await expect(share(client, 'F9999')).rejects.toThrow('file_not_found');
  await expect(client.files.info({ file: 'F9999' })).rejects.toThrow('file_not_found');
  const announced = await announce(3);
  await expect(share(client, announced.file_id ?? '')).rejects.toThrow('file_not_found');
  const id = await upload(client);
  await expect(share(client, id, { channel_id: 'C0OTHER' })).rejects.toThrow('not_in_channel');
  slack.archive(OPS);
  await expect(share(client, id)).rejects.toThrow('is_archived');
});

test('an upload URL takes what was announced, once, and not for ever', async () => {
  const clock = fakeClock();
  const { slack, client } = await openSlack({ now: clock.now });
  const announce = async () =>
    (await client.files.getUploadURLExternal({ filename: 'a.log', length: 3 })).upload_url ?? '';
  const url = await announce();
  expect((await send(url, 'four')).status).toBe(400);
  expect((await send(url, 'abc')).status).toBe(200);
  expect((await send(url, 'abc')).status).toBe(404);
  const late = await announce();
  clock.pass(3_600_001);
  expect((await send(late, 'abc')).status).toBe(404);
  slack.faults.status('upload', 500, 1);
  slack.faults.loseResponse('upload', 1);
  const faulty = await announce();
  expect((await send(faulty, 'abc')).status).toBe(500);
  await expect(send(faulty, 'abc')).rejects.toThrow();
  expect(slack.calls('upload').map(({ status }) => status)).toEqual([400, 200, 404, 404, 500, null]);
});
