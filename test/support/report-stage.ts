/** What a report needs: a channel of the Slack stand-in, a journal of its own, and no host unless one is given. */

import { Redis } from 'ioredis';
import { pino } from 'pino';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import type { SlackOptions } from '../../rehearsal/slack/stand-in.ts';
import type { Tools } from '../../src/processor.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { openChat } from '../../src/slack/chat.ts';
import { PRODUCTION, type Timings } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { GATE } from './gate.ts';
import { freshPrefix, redisUrl } from './redis.ts';
import { sampleConfig } from './sample-config.ts';

export const CHANNEL = 'C0GPU';

export interface ReportStage {
  readonly slack: SlackStandIn;
  readonly store: Store;
  readonly tools: Tools;
  close(): Promise<void>;
}

interface Setting {
  /** In place of the wall clock and of Redis's own. */
  readonly now?: () => number;
  readonly host?: Host;
  readonly slack?: Pick<SlackOptions, 'tiers' | 'sharing'>;
}

/** Slack's minute is a second unless it is given, or time itself is. */
export async function openReportStage(
  changes: Partial<Timings>,
  { now, host, slack: nasty }: Setting = {},
): Promise<ReportStage> {
  const slack = await startSlack({
    page: false,
    channels: [{ id: CHANNEL, name: 'gpu', botIsMember: true }],
    users: [{ id: 'U0ALICE', name: 'alice', kind: 'member' }],
    ...(now === undefined ? {} : { now }),
    ...nasty,
  });
  const config = { ...sampleConfig(), instance: freshPrefix() };
  const log = pino({ level: 'silent' });
  const timings = { ...PRODUCTION, ...(now === undefined ? { minute: 1_000 } : {}), ...changes };
  const time = { minute: timings.minute, ...(now === undefined ? {} : { now }) };
  const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance, time);
  const chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: timings.post, gate: GATE, log });
  const hosts = {
    get: () => {
      if (host === undefined) throw new Error('a report asks no host');
      return host;
    },
    close: async () => {},
  };
  const tools = { ...store, hosts, chat, config, clock: { now: now ?? (() => Date.now()) }, timings, log };
  return {
    ...{ slack, store, tools },
    async close() {
      await store.close();
      await slack.stop();
    },
  };
}
