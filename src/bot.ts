/** ENTRY: a bot process: holds the Slack connection, understands people, writes their requests down. */

import { pathToFileURL } from 'node:url';
import { secretsOf } from './config/secrets.ts';
import { type Entry, runEntry } from './entry.ts';
import { openHealth } from './health.ts';
import { openDesk } from './queue/desk.ts';
import { DESK_LIMIT_MS } from './queue/limits.ts';
import { logOutages, openPromptRedis, untilReady } from './queue/redis.ts';
import { openStore } from './queue/store.ts';
import { startSlackApp } from './slack/app.ts';
import { openChat } from './slack/chat.ts';
import { openGate } from './slack/gate.ts';
import { PRODUCTION, type Timings } from './timings.ts';

/** Starts the bot of one process; what it returns answers what is under way and lets go. */
export async function startBot(entry: Entry, timings: Timings = PRODUCTION): Promise<() => Promise<void>> {
  const { config, environment, slack, log, clock, fail } = entry;
  const store = openStore(openPromptRedis(environment.redisUrl, DESK_LIMIT_MS), config.instance);
  logOutages(store.redis, log, 'Commands are refused until it does.');
  const desk = openDesk({ ...store, config, clock });
  const gate = openGate({ secrets: secretsOf(config, environment) });
  const chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: timings.post, gate, log });
  await untilReady(store.redis, DESK_LIMIT_MS);
  const health = await openBotHealth(entry);
  const app = await startSlackApp({ slack, config, desk, chat, gate, clock, log, onFatal: fail, ...health });
  health.follow(app.trouble);
  return async () => {
    await health.close();
    await app.stop();
    await store.close();
  };
}

/** What /healthz answers from the start on, also while Slack is waited for. In HTTP mode Slack's own port answers it, as soon as that is listened at. */
async function openBotHealth({ slack, environment: { healthPort } }: Entry) {
  let trouble = (): string | null => 'no connection to Slack yet';
  const open = async (port: number) => openHealth(port, () => trouble());
  const isServed = slack.entrance.kind === 'http' && slack.entrance.port === healthPort;
  let close = healthPort === null || isServed ? null : await open(healthPort);
  const closeNow = async (): Promise<void> => {
    const closing = close?.();
    close = null;
    await closing;
  };
  return {
    async onAway(why: string) {
      trouble = () => why;
      // A port that is taken is told when Slack's requests are to be listened for.
      if (healthPort !== null && close === null) close = await open(healthPort).catch(() => null);
    },
    async onIdentified() {
      trouble = () => 'no connection to Slack yet';
      if (isServed) await closeNow();
    },
    follow(said: () => string | null) {
      trouble = said;
    },
    close: closeNow,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry([(entry) => startBot(entry)]);
