/**
 * Two Socket Mode connections behind one Bolt app: at each planned refresh (every few hours) a connection is away for 5 s, and commands
 * in that gap would fail at the user. The second one starts later, so that Slack doesn't refresh both at once; where it does, the second
 * waits until the first is back. What a connection has still to answer goes out before it leaves.
 *
 * States: starting (nobody connected yet) → running (the first `hello` came) → stopped. A connection that can't come back, or none for
 * a minute although Slack answers, is reported once by onFatal: the process must end and be started again. While Slack is away it is waited for.
 */

import { type App, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { within } from '../within.ts';
import type { Entrance } from './entrance.ts';
import { guardFrames } from './frames.ts';
import { slackLogger } from './logger.ts';

const CLOSE_MS = 3000;

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly log: Logger;
  /** Between the starts of the two connections, ms. */
  readonly staggerMs: number;
  /** Without any connection for so long, Slack is asked whether it is there: twice that it is, is fatal; ms. */
  readonly lookAfterMs: number;
  onFatal(error: Error): void;
  /** Whether the Web API answers at all. Never rejects. */
  isReachable(): Promise<boolean>;
}

/** An outage may last for hours: the SDK's own gaps would grow to a quarter of an hour after one. */
const RECONNECTING = { forever: true, retries: 100, factor: 1.3, minTimeout: 1000, maxTimeout: 15_000 };

interface Connection {
  readonly receiver: SocketModeReceiver;
  isOpen: boolean;
  /** From when it goes away by Slack's wish until it is back. */
  isLeaving: boolean;
}

export function openSockets(options: SocketOptions): Entrance {
  const { log, staggerMs, lookAfterMs } = options;
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;
  let isReported = false;
  let lost: NodeJS.Timeout | null = null;

  const fatal = (error: Error) => {
    if (isStopped || isReported) return;
    isReported = true;
    options.onFatal(error);
  };
  const after = (ms: number, act: () => unknown) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void act();
    }, ms);
    timers.add(timer);
    return timer;
  };
  const isConnected = () => connections.some((connection) => connection.isOpen);
  const changed = () => {
    if (isConnected() || isStopped) {
      if (lost !== null) clearTimeout(lost);
      lost = null;
      return;
    }
    lost ??= after(lookAfterMs, () => look(false));
  };
  const look = async (wasThere: boolean) => {
    const since = lost;
    const isThere = await options.isReachable();
    if (lost !== since || isStopped) return;
    if (isThere && wasThere) return fatal(new Error('Slack answers, and no connection to it could be made'));
    log.error({ isThere }, 'no connection to Slack');
    lost = after(lookAfterMs, () => look(isThere));
  };
  const mayLeave = (connection: Connection) => {
    const isOtherThere = connections.some((other) => other !== connection && other.isOpen && !other.isLeaving);
    connection.isLeaving ||= isOtherThere;
    return isOtherThere || isStopped;
  };
  const connections = [1, 2].map(
    (connection): Connection =>
      watch(
        createReceiver(options, () => isStopped),
        { log: log.child({ connection }), changed, fatal, mayLeave },
      ),
  );
  const [first, second] = connections;
  const startSecond = () => {
    second?.receiver.client.start().catch((error: unknown) => {
      if (isStopped) return;
      log.warn({ err: error }, 'the second connection to Slack failed; it is tried again');
      after(staggerMs, startSecond);
    });
  };

  return {
    trouble: () => (isConnected() ? null : 'no connection to Slack'),
    init(app: App) {
      for (const { receiver } of connections) receiver.init(app);
    },
    async start() {
      await first?.receiver.client.start();
      after(staggerMs, startSecond);
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await within(CLOSE_MS, Promise.all(connections.map(({ receiver }) => receiver.client.disconnect())));
    },
  };
}

/** An options object of its own for each: the socket client writes its retry policy into it (@slack/socket-mode 3.1.0). */
function createReceiver({ appToken, apiUrl, log }: SocketOptions, isStopped: () => boolean): SocketModeReceiver {
  // The SDK can't be told to give up; an answer that is final can.
  const fetchUnlessStopped: typeof fetch = async (...request) =>
    isStopped() ? Response.json(FINAL) : fetch(...request);
  const clientOptions = { slackApiUrl: apiUrl, timeout: 10_000, retryConfig: { ...RECONNECTING } };
  return new SocketModeReceiver({
    appToken,
    logger: slackLogger(log),
    installerOptions: { clientOptions: { ...clientOptions, fetch: fetchUnlessStopped } },
  });
}

const FINAL = { ok: false, error: 'account_inactive' };

interface Watcher {
  readonly log: Logger;
  changed(): void;
  fatal(error: Error): void;
  mayLeave(connection: Connection): boolean;
}

/** A reconnect that fails for good is an unhandled rejection inside the client; `start` is where it can be seen. */
function watch(receiver: SocketModeReceiver, { log, changed, fatal, mayLeave }: Watcher): Connection {
  const { client } = receiver;
  const connection: Connection = { receiver, isOpen: false, isLeaving: false };
  guardFrames(client, { log, mayLeave: () => mayLeave(connection) });
  let hasStarted = false;
  const mark = (isOpen: boolean) => {
    if (connection.isOpen !== isOpen) log.info(`a connection to Slack is ${isOpen ? 'open' : 'closed'}`);
    connection.isOpen = isOpen;
    changed();
  };
  client.on('connected', () => {
    hasStarted = true;
    connection.isLeaving = false;
    mark(true);
  });
  for (const name of ['close', 'reconnecting', 'disconnected']) client.on(name, () => mark(false));
  const start = client.start.bind(client);
  client.start = async () => {
    try {
      return await start();
    } catch (error) {
      if (!hasStarted) throw error;
      fatal(new Error('a connection to Slack could not be made again', { cause: error }));
      return new Promise(() => {});
    }
  };
  return connection;
}
