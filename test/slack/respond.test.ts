/** The ways back to who asked, when the best one is closed. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SlackStandIn } from '../../rehearsal/slack/server.ts';
import { type Chat, ChatError, type Message } from '../../src/chat.ts';
import { openWayBack } from '../../src/slack/respond.ts';
import { say } from '../../src/slack/say.ts';
import { sampleRun } from '../report/sample-run.ts';
import { GATE } from '../support/gate.ts';
import { runningApp } from './running.ts';

const HALF_AN_HOUR = 31 * 60_000;

/** What somebody typed in a channel, with a clock of Slack's that can be put forward. */
async function typed(channel: string) {
  const late = { ms: 0 };
  const world = await runningApp({ slack: { now: () => Date.now() + late.ms } });
  await world.slack.command({ user: 'U0ALICE', channel, text: '/vllm help' });
  const payload = world.slack.connections.envelopes()[0]?.payload ?? {};
  const origin = { user: 'U0ALICE', channel, thread: null, url: String(payload.response_url) };
  return { ...world, late, origin, bring: way(world, origin) };
}

function way({ slack, chat }: { slack: SlackStandIn; chat: Chat }, origin: Parameters<typeof openWayBack>[1]) {
  return openWayBack({ chat, gate: GATE, log: pino({ level: 'silent' }), apiUrl: slack.apiUrl }, origin);
}

/** The private messages and direct ones after the command's own answer, by the way they came. */
function brought(slack: SlackStandIn): string[] {
  const whispers = slack.ephemerals().slice(1);
  const direct = slack.messages('D0ALICE');
  return [...whispers.map(({ source, text }) => `${source}: ${text}`), ...direct.map(({ text }) => `direct: ${text}`)];
}

test('five answers go by the response_url, the next ones are whispered in the channel', async () => {
  const { slack, bring } = await typed('C0OPS');
  for (const number of [1, 2, 3, 4, 5, 6]) await bring(say(`Answer ${number}.`));
  expect(brought(slack)).toEqual([
    ...[1, 2, 3, 4, 5].map((number) => `response_url: Answer ${number}.`),
    'postEphemeral: Answer 6.',
  ]);
});

test('after half an hour an answer is whispered, or comes as a direct message where the bot is not in the channel', async () => {
  const here = await typed('C0OPS');
  here.late.ms = HALF_AN_HOUR;
  await here.bring(say('Ready.'));
  expect(brought(here.slack)).toEqual(['postEphemeral: Ready.']);
  const lobby = await typed('C0LOBBY');
  lobby.late.ms = HALF_AN_HOUR;
  await lobby.bring(say('Ready.'));
  expect(brought(lobby.slack)).toEqual(['direct: Ready.']);
});

test('a launch that finds its thread after half an hour tells so all the same', async () => {
  const late = { ms: 0 };
  const { slack, desk } = await runningApp({ slack: { now: () => Date.now() + late.ms } });
  await slack.command({ user: 'U0ALICE', channel: 'C0LOBBY', text: '/vllm launch kpro5 dflash' });
  late.ms = HALF_AN_HOUR;
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0HOST', ts: '1.0' } });
  await vi.waitFor(() => expect(brought(slack)).toEqual([expect.stringMatching(/^direct: .*is followed in/)]));
});

test('blocks that the response_url refuses are brought as plain text', async () => {
  const { slack, bring } = await typed('C0OPS');
  const broken: Message = {
    text: 'Refused.',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } },
      { type: 'section', text: { type: 'mrkdwn', text: 'GPU 0 is taken.' } },
    ],
  };
  await bring(broken);
  expect(brought(slack)).toEqual(['response_url: Refused.']);
  expect(JSON.stringify(slack.ephemerals().at(-1)?.blocks)).toContain('GPU 0 is taken.');
});

test('an answer goes to no address but one of Slack', async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const world = await typed('C0OPS');
  const { port } = server.address() as AddressInfo;
  await way(world, { ...world.origin, url: `http://127.0.0.1:${port}/` })(say('Ready.'));
  expect(heard).toEqual([]);
  expect(brought(world.slack)).toEqual(['postEphemeral: Ready.']);
});

test('where no way is open, whoever brings the answer hears so', async () => {
  const { slack, bring } = await typed('C0OPS');
  onTestFinished(slack.outage('503'));
  await expect(bring(say('Ready.'))).rejects.toThrow(ChatError);
});
