/** The unmodified Bolt app and the local Slack stand-in, with a desk in memory; both end with the test. */

import { type Logger, pino } from 'pino';
import { expect, onTestFinished, vi } from 'vitest';
import { type SlackOptions, startSlack } from '../../rehearsal/slack/server.ts';
import type { Config } from '../../src/config/config.ts';
import type { SlackTokens } from '../../src/config/slack-access.ts';
import { startSlackApp } from '../../src/slack/app.ts';
import { openChat } from '../../src/slack/chat.ts';
import type { Gate } from '../../src/slack/gate.ts';
import { sampleRun } from '../report/sample-run.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { GATE } from '../support/gate.ts';
import { CONFIG } from './set-up.ts';

interface Wanted {
  readonly config?: Config;
  readonly log?: Logger;
  /** One without secrets of its own unless given. */
  readonly gate?: Gate;
  readonly slack?: Partial<SlackOptions>;
  readonly connections?: Parameters<typeof startSlackApp>[1];
  /** Socket Mode unless given. */
  readonly entrance?: SlackTokens['entrance'];
  /** For tests that run at once: their own. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

export async function setUpApp(wanted: Wanted = {}) {
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
    ...wanted.slack,
  });
  const { atEnd = onTestFinished } = wanted;
  atEnd(() => slack.stop());
  const log = wanted.log ?? pino({ level: 'silent' });
  const { gate = GATE } = wanted;
  const chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: 2000, gate, log });
  const desk = new FakeDesk(({ host, recipe, by, channel }) => sampleRun({}, { host, recipe, by, channel }).request);
  const fatal: Error[] = [];
  const onFatal = (error: Error) => void fatal.push(error);
  const { botToken, appToken, apiUrl } = slack;
  const start = (tokens: { botToken?: string; appToken?: string } = {}) => {
    const used = { botToken, appToken, ...tokens };
    const entrance = wanted.entrance ?? { kind: 'socket', appToken: used.appToken };
    const edges = { config: wanted.config ?? CONFIG, desk, chat, gate, clock: Date, log, onFatal };
    return startSlackApp(
      { slack: { kind: 'tokens', botToken: used.botToken, apiUrl, entrance }, ...edges },
      { staggerMs: 10, lookAfterMs: 60_000, ...wanted.connections },
    );
  };
  return { slack, chat, desk, fatal, start };
}

/** With the app up, over two connections unless it listens for requests. */
export async function runningApp(wanted: Wanted = {}) {
  const world = await setUpApp(wanted);
  const app = await world.start();
  const { atEnd = onTestFinished } = wanted;
  atEnd(() => app.stop());
  if (wanted.entrance?.kind !== 'http') await vi.waitFor(() => expect(world.slack.connections.open).toBe(2));
  return { ...world, app };
}
