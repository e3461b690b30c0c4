/** The unmodified Bolt app over Socket Mode, against the local Slack stand-in. */

import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { SlackStandIn } from '../../rehearsal/slack/server.ts';
import { renderCard } from '../../src/report/card.ts';
import { SCOPES } from '../../src/slack/scopes.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';
import { runningApp, setUpApp } from './running.ts';

/** The newest private answer. */
function told(slack: SlackStandIn) {
  return slack.ephemerals().at(-1);
}

test('a launch is acknowledged in private with what was understood', async () => {
  const { slack, desk } = await runningApp();
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
  const { slack, desk } = await runningApp();
  await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm launch kpro5 dflash' });
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
  slack.connections.redeliver();
  await vi.waitFor(() => expect(slack.connections.envelopes()[0]?.acks).toHaveLength(2));
  const [first, second] = slack.connections.envelopes()[0]?.acks ?? [];
  expect(second?.payload).toEqual(first?.payload);
  expect(desk.orders).toHaveLength(1);
});

test('a thread that went to another channel is linked in private', async () => {
  const { slack, chat, desk } = await runningApp();
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
  const { slack } = await runningApp();
  await slack.command({ user: 'U0GUEST', channel: 'C0OPS', text: '/vllm status' });
  expect(told(slack)?.text).toContain('you are a guest');
  expect(await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/deploy train' })).toMatchObject({
    acked: true,
  });
  expect(told(slack)?.text).toContain("Vigil doesn't answer");
});

test('a click on Stop is judged, carried out, and leaves the card alone', async () => {
  const { slack, chat, desk } = await runningApp();
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

test('a stop waits for the answer under way', async () => {
  const { slack, desk, start } = await setUpApp();
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
  const { start, fatal } = await setUpApp();
  await expect(start({ botToken: 'xoxb-wrong' })).rejects.toThrow('SLACK_BOT_TOKEN: Slack says invalid_auth');
  await expect(start({ appToken: 'xapp-wrong' })).rejects.toThrow('SLACK_APP_TOKEN: Slack says');
  expect(fatal).toEqual([]);
});

test('a mention in a thread is answered to who wrote it, in that thread', async () => {
  const { slack, chat, desk } = await runningApp();
  const key = { run: 'r', event: '1' };
  const root = await chat.post({ channel: 'C0OPS', thread: null }, renderCard(sampleRun({}), VIEW), key);
  desk.summaries.push({ run: sampleRun({}), root });
  await slack.talk({ user: 'U0ALICE', channel: 'C0OPS', thread: root.ts, text: '@vigil help' });
  await vi.waitFor(() =>
    expect(told(slack)).toMatchObject({ user: 'U0ALICE', thread: root.ts, source: 'postEphemeral' }),
  );
  slack.connections.redeliver();
  await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' });
  expect(slack.calls('chat.postEphemeral')).toHaveLength(1);
});

test('a mention whose answer can not be shown there is answered by a direct message', async () => {
  const { slack } = await runningApp();
  slack.faults.fail('chat.postEphemeral', 'user_not_in_channel', 1);
  await slack.talk({ user: 'U0ALICE', channel: 'C0OPS', text: '@vigil help' });
  await vi.waitFor(() => expect(slack.messages('D0ALICE')).toHaveLength(1));
});

test.concurrent.for([
  ['app_uninstalled', 'the app was removed from the workspace'],
  ['tokens_revoked', "the bot's token was revoked"],
] as const)('after %s Vigil says that it is not well, and goes on', async ([event, why], { onTestFinished: atEnd }) => {
  const lines: string[] = [];
  const log = pino({ level: 'fatal' }, { write: (line) => void lines.push(line) });
  const { slack, app, fatal } = await runningApp({ atEnd, log });
  expect(app.trouble()).toBeNull();
  expect(await slack.tell(event)).toMatchObject({ acked: true });
  expect(app.trouble()).toContain(why);
  expect(lines.join('')).toContain(`Slack: ${why}`);
  slack.faults.fail('apps.connections.open', 'invalid_auth', 2);
  slack.connections.disconnect('link_disabled');
  await vi.waitFor(() => expect(slack.calls('apps.connections.open').length).toBeGreaterThan(2), { timeout: 9000 });
  expect(fatal).toEqual([]);
});

test('scopes that are missing are named at the start, with what does not work, and the rest works', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const scopes = Object.keys(SCOPES).filter((scope) => scope !== 'files:write' && scope !== 'usergroups:read');
  const { slack } = await runningApp({ log, slack: { scopes } });
  const told = lines.filter((line) => line.includes('has no scope'));
  expect(told).toHaveLength(2);
  expect(told[0]).toContain('no scope files:write: no log is shared as a file. Add it under');
  expect(await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' })).toMatchObject({ acked: true });
});

test('with all scopes of the manifest nothing is said of scopes', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  await runningApp({ log, slack: { scopes: Object.keys(SCOPES) } });
  expect(lines).toEqual([]);
});
