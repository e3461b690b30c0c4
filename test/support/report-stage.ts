/** What a report needs: a channel of the Slack stand-in, a journal of its own, and no host. */

import { Redis } from 'ioredis';
import { pino } from 'pino';
import { type SlackStandIn, startSlack } from '../../rehearsal/slack/server.ts';
import type { Tools } from '../../src/processor.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { openChat } from '../../src/slack/chat.ts';
import { PRODUCTION, type Timings } from '../../src/timings.ts';
import { freshPrefix, redisUrl } from './redis.ts';
import { sampleConfig } from './sample-config.ts';

export const CHANNEL = 'C0GPU';

export interface ReportStage {
  readonly slack: SlackStandIn;
  readonly store: Store;
  readonly tools: Tools;
  close(): Promise<void>;
}

export async function openReportStage(changes: Partial<Timings>): Promise<ReportStage> {
  const slack = await startSlack({
    page: false,
    channels: [{ id: CHANNEL, name: 'gpu', botIsMember: true }],
    users: [{ id: 'U0ALICE', name: 'alice', kind: 'member' }],
  });
  const config = { ...sampleConfig(), instance: freshPrefix() };
  const log = pino({ level: 'silent' });
  const timings = { ...PRODUCTION, ...changes };
  const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  const chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: timings.post, log });
  const hosts = {
    get: () => {
      throw new Error('a report asks no host');
    },
    close: async () => {},
  };
  const tools = { ...store, hosts, chat, config, clock: { now: () => Date.now() }, timings, log };
  return {
    ...{ slack, store, tools },
    async close() {
      await store.close();
      await slack.stop();
    },
  };
}
