/**
 * Slack's requests over HTTP instead of sockets: one endpoint for commands, clicks, modals and events, behind a proxy that ends TLS. Bolt
 * verifies each request's signature (HMAC of its body with the signing secret, not older than 5 minutes) before anything is read from it.
 *
 * States: closed → listening (`start`) → closed (`stop`).
 */

import type { Server } from 'node:http';
import { type App, HTTPReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { ConfigError } from '../errors.ts';
import { answerHealth } from '../health.ts';
import { within } from '../within.ts';
import type { Entrance } from './entrance.ts';
import { slackLogger } from './logger.ts';

export interface HttpOptions {
  readonly signingSecret: string;
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** For /healthz: why Vigil is not well, or null. */
  trouble(): string | null;
}

const ENDPOINT = '/slack/events';

const CLOSE_MS = 3000;
/** Slack sends at once and no more than this. */
const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000 };
const MOST_BYTES = 1_000_000;

export function openHttp({ signingSecret, host, port, log, trouble }: HttpOptions): Entrance {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: ENDPOINT,
    bodyLimit: MOST_BYTES,
    logger: slackLogger(log),
    customRoutes: [
      { path: '/healthz', method: 'GET', handler: (_request, response) => answerHealth(response, trouble()) },
    ],
  });
  let server: Server | null = null;
  return {
    trouble: () => (server === null ? 'nobody listens for requests of Slack' : null),
    init: (app: App) => receiver.init(app),
    async start() {
      try {
        server = (await receiver.start({ host, port }, LIMITS)) as Server;
      } catch (error) {
        throw new ConfigError([cannotListen({ host, port }, error)]);
      }
      log.info({ host, port, endpoint: ENDPOINT }, 'requests of Slack are listened for');
    },
    async stop() {
      if (server === null) return;
      const closing = receiver.stop();
      server.closeIdleConnections();
      await within(CLOSE_MS, closing);
      server.closeAllConnections();
      server = null;
    },
  };
}

function cannotListen({ host, port }: { host: string; port: number }, error: unknown): string {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return `VIGIL_HTTP_PORT and VIGIL_HTTP_HOST: found ${port} and ${host}, where Vigil can't listen (${why}); expected a free port of an address of this machine. End what listens there, or choose another.`;
}
