/** A bot that starts while Slack is away: it waits and says so, and what Slack refuses ends the start all the same. */

import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { startBot } from '../../src/bot.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { ConfigError } from '../../src/errors.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { SIGNING_SECRET } from '../support/signed.ts';
import { setUpApp } from './running.ts';
import { CONFIG } from './set-up.ts';

const PATIENCE = { timeout: 15_000 };

/** A bot's start, its /healthz, and what it logs; `by`: how Slack reaches it. */
async function starting(by: 'sockets' | 'http', atEnd: (close: () => Promise<void>) => void, botToken?: string) {
  const { slack } = await setUpApp({ atEnd });
  const port = String(await findFreePort());
  const entrance = {
    sockets: { SLACK_APP_TOKEN: slack.appToken },
    http: { SLACK_SIGNING_SECRET: SIGNING_SECRET, VIGIL_HTTP_PORT: port },
  };
  const environment = readEnvironment({
    ...{ SLACK_BOT_TOKEN: botToken ?? slack.botToken, SLACK_API_URL: slack.apiUrl, VIGIL_HEALTH_PORT: port },
    REDIS_URL: redisUrl().startsWith('/') ? `unix:${redisUrl()}` : redisUrl(),
    ...entrance[by],
  });
  const access = environment.slack;
  if (access.kind === 'incomplete') throw new Error('the test gives no tokens');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const fail = (error: Error): void => {
    throw error;
  };
  const config = { ...CONFIG, instance: freshPrefix() };
  const start = () => startBot({ config, environment, slack: access, log, clock: Date, fail });
  const health = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    return answer === null ? 'nobody' : `${answer.status} ${await answer.text()}`;
  };
  return { slack, start, health, lines };
}

test.concurrent.for(['sockets', 'http'] as const)(
  'waits for it, says so in its log and its health, and then listens (%s)',
  { timeout: 40_000 },
  async (by, { onTestFinished: atEnd }) => {
    const { slack, start, health, lines } = await starting(by, atEnd);
    const back = slack.outage('refuse');
    const started = start();
    await vi.waitFor(async () => expect(await health()).toMatch(/^503 not ok: Slack can't be reached/), PATIENCE);
    expect(lines.join('')).toContain('so it is waited for');
    back();
    const stop = await started;
    atEnd(stop);
    await vi.waitFor(async () => expect(await health()).toMatch(/^200/), PATIENCE);
  },
);

test.concurrent('is ended by a token that Slack refuses once it answers', async ({ onTestFinished: atEnd }) => {
  const { slack, start, health } = await starting('sockets', atEnd, 'xoxb-wrong');
  const back = slack.outage('503');
  const started = start().catch((error: unknown) => error);
  await vi.waitFor(async () => expect(await health()).toMatch(/^503/), PATIENCE);
  back();
  const error = await started;
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('SLACK_BOT_TOKEN: Slack says invalid_auth');
}, 40_000);
