/** Clients of Slack's Web API, and its errors in our terms. */

import { type LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import { chatError } from './chat-errors.ts';
import type { Gate } from './gate.ts';
import { slackLogger } from './logger.ts';

export interface ApiAccess {
  readonly token: string;
  /** Ends in /api/. */
  readonly apiUrl: string;
  /** Of one call, ms. */
  readonly timeoutMs: number;
  /** Looks at all that people are shown. */
  readonly gate: Gate;
  readonly log: Logger;
}

/** A client that rejects a 429 at once. `retries` 0 for all that must not happen twice: the SDK repeats a call whose answer was lost. */
export function openClient({ token, apiUrl, timeoutMs, log }: Omit<ApiAccess, 'gate'>, retries: number): WebClient {
  const settings: WebClientOptions & { logLevel?: LogLevel } = {
    slackApiUrl: apiUrl,
    timeout: timeoutMs,
    retryConfig: { retries, minTimeout: 200, maxTimeout: 1000 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(log),
  };
  return new WebClient(token, settings);
}

/** Asks Slack; throws ChatError. */
export async function call<T>(method: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw chatError(method, error);
  }
}
