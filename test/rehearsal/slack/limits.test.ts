import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { RateLimits } from '../../../rehearsal/slack/tiers.ts';
import { fakeClock, OPS, openSlack } from './stage.ts';

/** How many of so many calls were let through, one after the other. */
async function allowed(times: number, call: () => Promise<unknown>): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n++) {
    await call().then(
      () => (count += 1),
      () => {},
    );
  }
  return count;
}

test('an edit is allowed fifty times a minute, for all cards together', async () => {
  const clock = fakeClock();
  const { slack, client } = await openSlack({ tiers: 'slack', now: clock.now });
  const cards = [await post(client), await post(client)];
  const edit = () => {
    cards.reverse();
    return client.chat.update({ channel: OPS, ts: cards[0] ?? '', text: 'x' });
  };
  expect(await allowed(55, edit)).toBe(50);
  await expect(edit()).rejects.toMatchObject({ retryAfter: 60 });
  await expect(client.conversations.info({ channel: OPS })).resolves.toMatchObject({ ok: true });
  const refused = slack.calls('chat.update').filter(({ status }) => status === 429);
  expect(refused.map(({ outcome }) => outcome)).toEqual(Array(6).fill('ratelimited'));
  clock.pass(60_000);
  await expect(edit()).resolves.toMatchObject({ ok: true });
});

const post = async (client: WebClient) => (await client.chat.postMessage({ channel: OPS, text: 'card' })).ts ?? '';

test('a channel takes a message a second and a short burst, another one meanwhile as well', () => {
  const clock = fakeClock();
  const limits = new RateLimits('slack', clock.now);
  const take = (channel: string) => limits.take('chat.postMessage', { channel });
  expect(Array.from({ length: 5 }, () => take('C1'))).toEqual(Array(5).fill(null));
  expect(take('C1')).toBe(5);
  expect(take('C2')).toBeNull();
  clock.pass(2000);
  expect(take('C1')).toBe(3);
  clock.pass(3000);
  expect(take('C1')).toBeNull();
});

test('a workspace takes some hundred messages a minute, whatever the channels', () => {
  const limits = new RateLimits('slack', fakeClock().now);
  const taken = Array.from({ length: 310 }, (_, n) => limits.take('chat.postMessage', { channel: `C${n}` }));
  expect(taken.filter((wait) => wait === null)).toHaveLength(300);
});

test('limits can be set by hand, and there are none unless asked for', async () => {
  const { client } = await openSlack({ tiers: { 'users.info': 2 } });
  expect(await allowed(4, () => client.users.info({ user: 'U0ALICE' }))).toBe(2);
  expect(await allowed(120, () => client.chat.update({ channel: OPS, ts: '1.0', text: 'x' }))).toBe(0);
  const free = new RateLimits(null, Date.now);
  expect(Array.from({ length: 500 }, () => free.take('chat.update', {}))).toEqual(Array(500).fill(null));
});
