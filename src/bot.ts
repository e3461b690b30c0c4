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
  const app = await startSlackApp({ slack, config, desk, chat, gate, clock, log, onFatal: fail });
  const { healthPort } = environment;
  // HTTP mode answers it at its own port.
  const isServed = slack.entrance.kind === 'http' && slack.entrance.port === healthPort;
  const closeHealth = healthPort === null || isServed ? null : await openHealth(healthPort, app.trouble);
  return async () => {
    await closeHealth?.();
    await app.stop();
    await store.close();
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry([(entry) => startBot(entry)]);
