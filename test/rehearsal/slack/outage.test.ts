import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startBolt } from './bolt.ts';
import { ALICE, clientOf, OPS, openSlack } from './stage.ts';

const PATIENCE = { timeout: 10_000, interval: 20 };

test.each([
  ['refuse', 'dispatch_failed', null],
  ['503', 'dispatch_failed', 503],
  ['silence', 'operation_timeout', null],
] as const)('while Slack is away (%s), calls come to nothing, and people too', async (kind, error, status) => {
  const { slack, client } = await openSlack({ ackLimitMs: 50 });
  const bolt = await startBolt(slack, { listen: (app) => app.command('/vllm', ({ ack }) => ack()) });
  const end = slack.outage(kind);
  const impatient = clientOf(slack, kind === 'silence' ? 300 : 10_000);
  await expect(impatient.chat.postMessage({ channel: OPS, text: 'x' })).rejects.toThrow();
  await expect(impatient.apps.connections.open({ token: slack.appToken })).rejects.toThrow();
  expect(slack.messages(OPS)).toEqual([]);
  expect(slack.calls('chat.postMessage')).toMatchObject([{ outcome: 'outage', status }]);
  expect(await slack.command({ user: ALICE, channel: OPS, text: '/vllm help' })).toMatchObject({ acked: false, error });
  end();
  await expect(client.chat.postMessage({ channel: OPS, text: 'back' })).resolves.toMatchObject({ ok: true });
  await bolt.stop();
});

test('uploads and response_urls are away as well', async () => {
  const { slack, client } = await openSlack();
  const { upload_url: url = '' } = await client.files.getUploadURLExternal({ filename: 'a', length: 1 });
  const end = slack.outage('503');
  expect((await fetch(url, { method: 'POST', body: 'a' })).status).toBe(503);
  expect((await fetch(new URL('/response/x', slack.pageUrl), { method: 'POST', body: '{}' })).status).toBe(503);
  end();
  expect((await fetch(url, { method: 'POST', body: 'a' })).status).toBe(200);
});

test('a connection that went dead hears nothing more until the app notices and comes back', async () => {
  const { slack } = await openSlack({ ackLimitMs: 1000 });
  const bolt = await startBolt(slack, {
    listen: (app) => app.command('/vllm', ({ ack }) => ack()),
    pingTimeoutMs: 500,
  });
  const type = () => slack.command({ user: ALICE, channel: OPS, text: '/vllm help' });
  await vi.waitFor(async () => expect(await type()).toMatchObject({ acked: true }), PATIENCE);
  slack.connections.deafen();
  expect(slack.connections.open).toBe(1);
  expect(await type()).toMatchObject({ error: 'operation_timeout' });
  await vi.waitFor(async () => expect(await type()).toMatchObject({ acked: true }), PATIENCE);
  await bolt.stop();
});

test('a refresh leaves a gap in which commands fail, a warning does not yet', async () => {
  const { slack } = await openSlack();
  const bolt = await startBolt(slack, {
    listen: (app) => app.command('/vllm', ({ ack }) => ack()),
    pingTimeoutMs: 500,
  });
  const type = () => slack.command({ user: ALICE, channel: OPS, text: '/vllm help' });
  slack.connections.disconnect('warning');
  expect(slack.connections.open).toBe(1);
  await vi.waitFor(() => expect(slack.connections.open).toBe(0), PATIENCE);
  expect(await type()).toMatchObject({ error: 'dispatch_failed' });
  await vi.waitFor(() => expect(slack.connections.open).toBe(1), PATIENCE);
  slack.connections.disconnect('refresh_requested');
  expect(await type()).toMatchObject({ error: 'dispatch_failed' });
  await vi.waitFor(async () => expect(await type()).toMatchObject({ acked: true }), PATIENCE);
  await bolt.stop();
});

test('the eleventh connection is turned away', async () => {
  const { slack, client } = await openSlack();
  const said: string[] = [];
  const connect = async () => {
    const { url = '' } = await client.apps.connections.open({ token: slack.appToken });
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve) =>
      socket.once('message', (frame) => {
        said.push(String(JSON.parse(String(frame)).reason ?? 'hello'));
        resolve();
      }),
    );
  };
  for (let n = 0; n < 11; n++) await connect();
  expect(said).toEqual([...Array(10).fill('hello'), 'too_many_websockets']);
});
