/** Nobody is left waiting: acks that do not pass, and a stop of the bot while answers are under way. */

import { App, type Receiver } from '@slack/bolt';
import { expect, test, vi } from 'vitest';
import { renderCard } from '../../src/report/card.ts';
import { listen } from '../../src/slack/listen.ts';
import { sampleRun, VIEW } from '../report/sample-run.ts';
import { GATE } from '../support/gate.ts';
import { runningApp } from './running.ts';
import { withRuns } from './set-up.ts';

const RUN = sampleRun({}).request.id;
const CLICK = {
  ...{ type: 'block_actions', team: { id: 'T0' }, user: { id: 'U0ALICE', team_id: 'T0' }, channel: { id: 'C0OPS' } },
  ...{ trigger_id: '1.2.three', response_url: '', api_app_id: 'A0', message: { ts: '9.000001' } },
  container: { type: 'message', message_ts: '9.000001', channel_id: 'C0OPS' },
  actions: [{ type: 'button', action_id: 'stop', block_id: 'b', value: RUN, action_ts: '1' }],
};

test('a click whose ack does not pass is carried out and answered all the same', async () => {
  const { edge, desk, chat } = withRuns();
  const receiver: Receiver = { init: () => {}, start: async () => {}, stop: async () => {} };
  const app = new App({
    receiver,
    authorize: async () => ({ botToken: 'xoxb', botId: 'B0', botUserId: 'U0BOT' }),
    logger: { ...console, setLevel: () => {}, getLevel: () => 'info' as never, setName: () => {} },
  });
  const dialogs = () => ({ open: async () => '', update: async () => null });
  listen(app, { edge, gate: GATE, apiUrl: 'https://slack.com/api/', dialogs, fly: () => {}, onRevoked: () => {} });
  await app.processEvent({ body: CLICK, ack: () => Promise.reject(new Error('the connection is not ready')) });
  expect(desk.stops.size).toBe(1);
  expect(chat.whispers).toMatchObject([{ user: 'U0ALICE', message: { text: expect.stringContaining('Stopping') } }]);
});

test.concurrent('a stop tells each of twenty people whose answer was to follow that it does not', async ({
  onTestFinished: atEnd,
}) => {
  const { slack, desk, app } = await runningApp({ atEnd, connections: { drainMs: 50 } });
  desk.runs = () => new Promise(() => {});
  const typed = Array.from({ length: 20 }, () =>
    slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm status' }),
  );
  for (const outcome of await Promise.all(typed)) expect(outcome).toMatchObject({ acked: true });
  await app.stop();
  const told = slack.ephemerals().filter(({ source }) => source === 'response_url');
  expect(told).toHaveLength(20);
  expect(told[0]?.text).toMatch(/is being restarted/);
});

test.concurrent('a stop tells who clicked and has no answer yet', async ({ onTestFinished: atEnd }) => {
  const { slack, chat, desk, app } = await runningApp({ atEnd, connections: { drainMs: 50 } });
  const root = await chat.post({ channel: 'C0OPS', thread: null }, renderCard(sampleRun({}), VIEW), {
    run: 'r',
    event: '1',
  });
  const asked: string[] = [];
  desk.run = (id) => {
    asked.push(id);
    return new Promise(() => {});
  };
  await slack.click({ channel: 'C0OPS', ts: root.ts, actionId: 'stop', user: 'U0ALICE' });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await app.stop();
  expect(slack.ephemerals()).toMatchObject([{ text: expect.stringMatching(/is being restarted/) }]);
});

test.concurrent('a stop tells nobody who has all of their answer', async ({ onTestFinished: atEnd }) => {
  const { slack, app } = await runningApp({ atEnd, connections: { drainMs: 50 } });
  // Its thread never comes, and is waited for.
  await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm launch kpro5 dflash' });
  await app.stop();
  expect(slack.ephemerals()).toHaveLength(1);
});
