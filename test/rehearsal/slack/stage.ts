/** A workspace of the stand-in with a silent client that tries once; gone when the test is over. */
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { type SlackOptions, type SlackStandIn, startSlack } from '../../../rehearsal/slack/server.ts';
import { silent } from './bolt.ts';

export const OPS = 'C0OPS';
export const ALICE = 'U0ALICE';
export const BEN = 'U0BEN';

export async function openSlack(
  options: Partial<SlackOptions> = {},
): Promise<{ slack: SlackStandIn; client: WebClient }> {
  const slack = await startSlack({
    page: false,
    appName: 'vigil',
    channels: [
      { id: OPS, name: 'gpu-ops', botIsMember: true },
      { id: 'C0OTHER', name: 'other', botIsMember: false },
      { id: 'C0FEW', name: 'few', botIsMember: true, private: true, members: [ALICE] },
    ],
    users: [
      { id: ALICE, name: 'alice', kind: 'member' },
      { id: BEN, name: 'ben', kind: 'member' },
    ],
    ...options,
  });
  onTestFinished(() => slack.stop());
  return { slack, client: clientOf(slack, 10_000) };
}

/** Gives up a call after `timeout`, ms. */
export function clientOf(slack: SlackStandIn, timeout: number): WebClient {
  const how = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, timeout, logger: silent };
  return new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, ...how });
}

/** A clock that a test moves; ms. */
export function fakeClock(): { now: () => number; pass(ms: number): void } {
  let time = Date.UTC(2026, 10, 30);
  return {
    now: () => time,
    pass(ms) {
      time += ms;
    },
  };
}
