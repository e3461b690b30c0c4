/** Bolt, wired: how Slack reaches us, who we are there, and an orderly end. No decision is made here. */

import { setTimeout as sleep } from 'node:timers/promises';
import { App } from '@slack/bolt';
import { type AuthTestResponse, WebAPIHTTPError, WebAPIPlatformError } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Chat } from '../chat.ts';
import type { Config } from '../config/config.ts';
import type { SlackTokens } from '../config/slack-access.ts';
import { ConfigError } from '../errors.ts';
import type { Desk } from '../requests.ts';
import type { Clock } from '../tools.ts';
import { type Edge, LIMITS } from './call.ts';
import { chatError, slackCode } from './chat-errors.ts';
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
  /** Slack is away, so the start waits for it: as a sentence. */
  onAway?(why: string): Promise<void>;
  /** Slack has said who we are: from now on it may reach us. */
  onIdentified?(): Promise<void>;
}

export interface SlackApp {
  /** Waits for answers under way, then closes the connections. */
  stop(): Promise<void>;
  /** Why people can't reach Vigil in Slack, as a sentence, or null. */
  trouble(): string | null;
}

const TIMES = {
  ...{ staggerMs: 20_000, lookAfterMs: 30_000 },
  /** A stop waits so long for answers under way. */
  drainMs: 4000,
  /** Between two tries at the start while Slack is away, at most. */
  awayMs: 30_000,
};
const CALL_MS = 10_000;

/** Connects; waits while Slack is away. Throws ConfigError for a token that Slack refuses, and for a port that is taken. */
export async function startSlackApp(options: SlackAppOptions, changes: Partial<typeof TIMES> = {}): Promise<SlackApp> {
  const times = { ...TIMES, ...changes };
  const { slack, gate, log } = options;
  const { apiUrl, botToken } = slack;
  let revoked: string | null = null;
  const trouble = (): string | null => revoked ?? entrance.trouble();
  const onFatal = (error: Error) => {
    if (revoked === null) return options.onFatal(error);
    log.error({ err: error }, 'Slack can not be reached any more; jobs go on');
  };
  const entrance = openEntrance({ ...options, onFatal }, { times, trouble });
  const app = new App({
    receiver: entrance,
    token: botToken,
    deferInitialization: true,
    logger: slackLogger(log),
    clientOptions: { slackApiUrl: apiUrl, timeout: CALL_MS, retryConfig: { retries: 2 } },
  });
  const flights = createFlights();
  const edge = await identifyApp(app, options, times.awayMs);
  await options.onIdentified?.();
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
  await connect(app);
  return {
    trouble,
    async stop() {
      const left = await flights.drain(times.drainMs);
      if (left > 0) log.warn({ left }, 'answers to Slack were still under way at the stop');
      await entrance.stop();
    },
  };
}

function openEntrance(
  { slack, log, onFatal }: SlackAppOptions,
  { times, trouble }: { times: typeof TIMES; trouble: () => string | null },
): Entrance {
  const { entrance, apiUrl } = slack;
  if (entrance.kind === 'http') return openHttp({ ...entrance, log, trouble });
  const { api } = openClient({ token: slack.botToken, apiUrl, timeoutMs: CALL_MS, log }, 0);
  const isReachable = () => api.test().then(() => true, isPlatformError);
  return openSockets({ appToken: entrance.appToken, apiUrl, log, ...times, onFatal, isReachable });
}

/** Slack's own word, whatever it is. */
function isPlatformError(error: unknown): boolean {
  return error instanceof WebAPIPlatformError;
}

/** Who we are. The token is tried here, so that a wrong one is told at the start, and scopes that are missing. */
async function identifyApp(app: App, options: SlackAppOptions, awayMs: number): Promise<Edge> {
  const self = await whoWeAre(app, options, awayMs);
  const { config, desk, chat, clock, log } = options;
  tellMissingScopes(self.response_metadata?.scopes ?? null, log);
  return {
    config,
    desk,
    chat,
    clock,
    log,
    self: { team: self.team_id ?? '', name: self.user ?? 'vigil', user: self.user_id ?? '' },
    limits: LIMITS,
  };
}

/** A Slack that is away is waited for, since the jobs of this process, if it has any, go on meanwhile. */
async function whoWeAre(app: App, options: SlackAppOptions, awayMs: number): Promise<AuthTestResponse> {
  const { slack, log } = options;
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    try {
      await app.init();
      return await app.client.auth.test();
    } catch (error) {
      if (!isAway(error)) throw cannotConnect({ token: 'SLACK_BOT_TOKEN', error });
      const why = `Slack can't be reached at ${slack.apiUrl} (${chatError('auth.test', error).message}), so it is waited for. If it takes long, check network and proxy, or SLACK_API_URL`;
      log.warn(why);
      await options.onAway?.(why);
      await sleep(Math.min(wait, awayMs));
    }
  }
}

const FIRST_WAIT_MS = 1000;

/** No answer, or one that says nothing about us. */
function isAway(error: unknown): boolean {
  if (error instanceof WebAPIHTTPError) return error.statusCode >= 500;
  const { kind, isStrange } = chatError('auth.test', error);
  return kind === 'limited' || (kind === 'ambiguous' && !isStrange);
}

async function connect(app: App): Promise<void> {
  try {
    await app.start();
  } catch (error) {
    throw cannotConnect({ token: 'SLACK_APP_TOKEN', error });
  }
}

/** What a person can mend, as a ConfigError; anything else as it is. */
function cannotConnect({ token, error }: { token: string; error: unknown }): unknown {
  const code = slackCode(error);
  if (code === null) return error;
  const expected = 'expected a token of the app that runs Vigil. docs/operating.md says how to get it.';
  return new ConfigError([`${token}: Slack says ${code}; ${expected}`]);
}
