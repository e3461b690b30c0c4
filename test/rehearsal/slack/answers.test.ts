import { expect, test } from 'vitest';
import type { SlackStandIn } from '../../../rehearsal/slack/server.ts';
import { ALICE, fakeClock, OPS, openSlack } from './stage.ts';

/** The response_url of a command that nobody heard. */
async function urlOf(slack: SlackStandIn): Promise<string> {
  await slack.command({ user: ALICE, channel: OPS, text: '/vllm status' });
  return String(slack.connections.envelopes().at(-1)?.payload.response_url);
}

async function post(url: string, body: object): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return `${response.status} ${await response.text()}`;
}

test('a response_url works for half an hour', async () => {
  const clock = fakeClock();
  const { slack } = await openSlack({ now: clock.now });
  const url = await urlOf(slack);
  clock.pass(30 * 60_000);
  expect(await post(url, { text: 'just in time' })).toBe('200 ok');
  clock.pass(1);
  expect(await post(url, { text: 'too late' })).toBe('404 expired_url');
  expect(slack.ephemerals().filter(({ source }) => source === 'response_url')).toMatchObject([
    { text: 'just in time' },
  ]);
});

test('a response_url takes no blocks that the workspace refuses', async () => {
  const { slack } = await openSlack({ refuses: ['table'] });
  const url = await urlOf(slack);
  const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
  expect(await post(url, { text: 'x', blocks: [table] })).toBe('500 invalid_blocks');
  expect(await post(url, { text: 'x', blocks: [{ type: 'divider' }] })).toBe('200 ok');
});
