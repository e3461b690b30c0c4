/** The unmodified Bolt app over Socket Mode, against the local Slack stand-in. */

import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import { renderCard } from '../../src/report/card.ts';
import { startSlackApp } from '../../src/slack/app.ts';
import { openChat } from '../../src/slack/chat.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { CONFIG } from './set-up.ts';

const releasers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const release of releasers.splice(0).reverse()) await release();
});

async function setUp() {
  const slack = await startSlack({
    page: false,
    appName: 'vigil',
    channels: [
      { id: 'C0OPS', name: 'ops', botIsMember: true },
      { id: 'C0HOST', name: 'host', botIsMember: true },
      { id: 'C0LOBBY', name: 'lobby', botIsMember: false },
    ],
    users: [
      { id: 'U0ALICE', name: 'Alice', kind: 'member' },
      { id: 'U0BOB', name: 'Bob', kind: 'member' },
      { id: 'U0GUEST', name: 'Guest', kind: 'guest' },
    ],
  });
  releasers.push(() => slack.stop());
  const log = pino({ level: 'silent' });
  const chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: 2000, log });
  const desk = new FakeDesk(({ host, recipe, by, channel }) => sampleRun({}, { host, recipe, by, channel }).request);
  const fatal: Error[] = [];
  const access = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl };
  const onFatal = (error: Error) => void fatal.push(error);
  const start = (tokens: Partial<typeof access> = {}) =>
    startSlackApp(
      { slack: { ...access, ...tokens }, config: CONFIG, desk, chat, clock: Date, log, onFatal },
      { staggerMs: 10, deadAfterMs: 60_000 },
    );
  return { slack, chat, desk, fatal, start };
}

async function running() {
  const world = await setUp();
  const app = await world.start();
  releasers.push(() => app.stop());
  await vi.waitFor(() => expect(world.slack.connections.open).toBe(2));
  return { ...world, app };
}

/** The newest private answer. */
function told(slack: SlackStandIn) {
  return slack.ephemerals().at(-1);
}

test('a launch is acknowledged in private with what was understood', async () => {
  const { slack, desk } = await running();
  const outcome = await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm launch kpro5 dflash' });
  expect(outcome).toMatchObject({ acked: true, error: null });
  expect(told(slack)).toMatchObject({
    user: 'U0ALICE',
    source: 'ack',
    text: expect.stringMatching(/^Launching \*dflash\* on \*kpro5\* as `kpro5-3`/),
  });
  expect(desk.orders).toMatchObject([{ trigger: outcome.triggerId, by: 'U0ALICE' }]);
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
});

test('an envelope that comes twice is carried out once and answered alike', async () => {
  const { slack, desk } = await running();
  await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm launch kpro5 dflash' });
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
  slack.connections.redeliver();
  await vi.waitFor(() => expect(slack.connections.envelopes()[0]?.acks).toHaveLength(2));
  const [first, second] = slack.connections.envelopes()[0]?.acks ?? [];
  expect(second?.payload).toEqual(first?.payload);
  expect(desk.orders).toHaveLength(1);
});

test('a thread that went to another channel is linked in private', async () => {
  const { slack, chat, desk } = await running();
  const root = await chat.post({ channel: 'C0HOST', thread: null }, renderCard(sampleRun({}), VIEW), {
    run: 'r',
    event: '1',
  });
  desk.summaries.push({ run: sampleRun({}), root });
  await slack.command({ user: 'U0ALICE', channel: 'C0LOBBY', text: '/vllm launch kpro5 dflash' });
  await vi.waitFor(() =>
    expect(told(slack)).toMatchObject({ source: 'response_url', text: expect.stringContaining('/archives/C0HOST/') }),
  );
});

test('a guest is refused, and a command that is not ours is answered', async () => {
  const { slack } = await running();
  await slack.command({ user: 'U0GUEST', channel: 'C0OPS', text: '/vllm status' });
  expect(told(slack)?.text).toContain('you are a guest');
  expect(await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/deploy train' })).toMatchObject({
    acked: true,
  });
  expect(told(slack)?.text).toContain("Vigil doesn't answer");
});

test('a click on Stop is judged, carried out, and leaves the card alone', async () => {
  const { slack, chat, desk } = await running();
  const root = await chat.post({ channel: 'C0OPS', thread: null }, renderCard(sampleRun({}), VIEW), {
    run: 'r',
    event: '1',
  });
  desk.summaries.push({ run: sampleRun({}), root });
  const click = { channel: 'C0OPS', ts: root.ts, actionId: 'stop' };
  expect(await slack.click({ ...click, user: 'U0BOB' })).toMatchObject({ acked: true });
  await vi.waitFor(() =>
    expect(told(slack)).toMatchObject({ user: 'U0BOB', text: expect.stringContaining('may not stop') }),
  );
  expect(desk.stops.size).toBe(0);
  await slack.click({ ...click, user: 'U0ALICE' });
  await vi.waitFor(() =>
    expect(told(slack)).toMatchObject({ user: 'U0ALICE', text: expect.stringContaining('Stopping') }),
  );
  expect(desk.stops.size).toBe(1);
  expect(slack.messages('C0OPS')).toMatchObject([{ ts: root.ts, edits: 0 }]);
});

test('while one connection is renewed, the other answers', async () => {
  const { slack, app } = await running();
  slack.connections.disconnect('refresh_requested', 1);
  expect(await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' })).toMatchObject({ acked: true });
  expect(app.isConnected()).toBe(true);
});

test('a stop waits for the answer under way', async () => {
  const { slack, desk, start } = await setUp();
  const app = await start();
  const asked: (() => void)[] = [];
  desk.runs = () => new Promise((resolve) => asked.push(() => resolve([])));
  const answered = slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm status' });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const stopped = app.stop();
  asked[0]?.();
  expect(await answered).toMatchObject({ acked: true });
  await stopped;
  await vi.waitFor(() => expect(slack.connections.open).toBe(0));
});

test('a refused token is told at the start, by its name', async () => {
  const { start, fatal } = await setUp();
  await expect(start({ botToken: 'xoxb-wrong' })).rejects.toThrow('SLACK_BOT_TOKEN: Slack says invalid_auth');
  await expect(start({ appToken: 'xapp-wrong' })).rejects.toThrow('SLACK_APP_TOKEN: Slack says');
  expect(fatal).toEqual([]);
});

test('a connection that can not be made again ends the process', async () => {
  const { slack, fatal } = await running();
  slack.faults.fail('apps.connections.open', 'invalid_auth', 2);
  slack.connections.disconnect('refresh_requested');
  await vi.waitFor(() => expect(fatal).toHaveLength(1), { timeout: 9000 });
}, 15_000);
