/** Bolt, wired: how Slack reaches us, who we are there, and an orderly end. No decision is made here. */

import { App } from '@slack/bolt';
import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Chat } from '../chat.ts';
import type { Config } from '../config/config.ts';
import type { SlackTokens } from '../config/slack-access.ts';
import { ConfigError } from '../errors.ts';
import type { Desk } from '../requests.ts';
import type { Clock } from '../tools.ts';
import { type Edge, LIMITS } from './call.ts';
import { slackCode } from './chat-errors.ts';
import { openClient } from './client.ts';
import { openDialogs } from './dialogs.ts';
import type { Entrance } from './entrance.ts';
import { createFlights } from './flights.ts';
import type { Gate } from './gate.ts';
import { openHttp } from './http.ts';
import { listen } from './listen.ts';
import { slackLogger } from './logger.ts';
import { tellMissingScopes } from './scopes.ts';
import { openSockets } from './sockets.ts';

export interface SlackAppOptions {
  readonly slack: SlackTokens;
  readonly config: Config;
  readonly desk: Desk;
  readonly chat: Chat;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Logger;
  /** Slack can't be reached any more in a way that only a new process mends. */
  onFatal(error: Error): void;
}

export interface SlackApp {
  /** Waits for answers under way, then closes the connections. */
  stop(): Promise<void>;
  /** Why people can't reach Vigil in Slack, as a sentence, or null. */
  trouble(): string | null;
}

const CONNECTIONS = { staggerMs: 20_000, lookAfterMs: 30_000 };
const CALL_MS = 10_000;
const DRAIN_MS = 5000;

/** Connects; throws ConfigError for a token that Slack refuses, and for a port that is taken. */
export async function startSlackApp(options: SlackAppOptions, connections = CONNECTIONS): Promise<SlackApp> {
  const { slack, gate, log } = options;
  const { apiUrl, botToken } = slack;
  let revoked: string | null = null;
  const trouble = (): string | null => revoked ?? entrance.trouble();
  const onFatal = (error: Error) => {
    if (revoked === null) return options.onFatal(error);
    log.error({ err: error }, 'Slack can not be reached any more; jobs go on');
  };
  const entrance = openEntrance({ ...options, onFatal }, { connections, trouble });
  const app = new App({
    receiver: entrance,
    token: botToken,
    deferInitialization: true,
    logger: slackLogger(log),
    clientOptions: { slackApiUrl: apiUrl, timeout: CALL_MS, retryConfig: { retries: 2 } },
  });
  const flights = createFlights();
  const edge = await identifyApp(app, options);
  listen(app, {
    edge,
    gate,
    apiUrl,
    dialogs: openDialogs({ token: botToken, apiUrl, timeoutMs: CALL_MS, gate, log }),
    fly: flights.add,
    onRevoked(why) {
      revoked = `${why}: nothing can be said in Slack. Install the app again, then start Vigil again with its new token`;
      log.fatal(`Slack: ${revoked}. Jobs go on, and what they have to say waits.`);
    },
  });
  await connect(app, slack);
  return {
    trouble,
    async stop() {
      const left = await flights.drain(DRAIN_MS);
      if (left > 0) log.warn({ left }, 'answers to Slack were still under way at the stop');
      await entrance.stop();
    },
  };
}

function openEntrance(
  { slack, log, onFatal }: SlackAppOptions,
  { connections, trouble }: { connections: typeof CONNECTIONS; trouble: () => string | null },
): Entrance {
  const { entrance, apiUrl } = slack;
  if (entrance.kind === 'http') return openHttp({ ...entrance, log, trouble });
  const { api } = openClient({ token: slack.botToken, apiUrl, timeoutMs: CALL_MS, log }, 0);
  const isReachable = () => api.test().then(() => true, isPlatformError);
  return openSockets({ appToken: entrance.appToken, apiUrl, log, ...connections, onFatal, isReachable });
}

/** Slack's own word, whatever it is. */
function isPlatformError(error: unknown): boolean {
  return error instanceof WebAPIPlatformError;
}

/** Who we are. The token is tried here, so that a wrong one is told at the start, and scopes that are missing. */
async function identifyApp(app: App, options: SlackAppOptions): Promise<Edge> {
  try {
    await app.init();
    const self = await app.client.auth.test();
    const { config, desk, chat, clock, log } = options;
    tellMissingScopes(self.response_metadata?.scopes ?? null, log);
    return {
      config,
      desk,
      chat,
      clock,
      log,
      self: { team: self.team_id ?? '', name: self.user ?? 'vigil' },
      limits: LIMITS,
    };
  } catch (error) {
    throw cannotConnect({ token: 'SLACK_BOT_TOKEN', apiUrl: options.slack.apiUrl, error });
  }
}

async function connect(app: App, { apiUrl }: SlackTokens): Promise<void> {
  try {
    await app.start();
  } catch (error) {
    throw cannotConnect({ token: 'SLACK_APP_TOKEN', apiUrl, error });
  }
}

/** What a person can mend, as a ConfigError; anything else as it is. */
function cannotConnect({ token, apiUrl, error }: { token: string; apiUrl: string; error: unknown }): unknown {
  if (error instanceof WebAPIRequestError) {
    const mistake = `Slack can't be reached at ${apiUrl} (${error.message}); expected the Web API. Check network and proxy, or SLACK_API_URL.`;
    return new ConfigError([mistake]);
  }
  const code = slackCode(error);
  if (code === null) return error;
  const expected = 'expected a token of the app that runs Vigil. docs/operating.md says how to get it.';
  return new ConfigError([`${token}: Slack says ${code}; ${expected}`]);
}
