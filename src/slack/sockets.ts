/**
 * Two Socket Mode connections behind one Bolt app: at each planned refresh (every few hours) a connection is away for 5 s, and commands
 * in that gap would fail at the user. The second one starts later, so that Slack doesn't refresh both at once.
 *
 * States: starting (nobody connected yet) → running (the first `hello` came) → stopped. A connection that can't come back, or none for
 * a minute, is reported once by onFatal: the process must end and be started again.
 */

import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import { within } from '../within.ts';
import { slackLogger } from './logger.ts';

const CLOSE_MS = 3000;

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly log: Logger;
  /** Between the starts of the two connections, ms. */
  readonly staggerMs: number;
  /** Without any connection for so long, it is fatal; ms. */
  readonly deadAfterMs: number;
  onFatal(error: Error): void;
}

export interface Sockets extends Receiver {
  isConnected(): boolean;
}

type Connection = { readonly receiver: SocketModeReceiver; isOpen: boolean };

export function openSockets(options: SocketOptions): Sockets {
  const { log, staggerMs, deadAfterMs } = options;
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;
  let isReported = false;
  let lost: NodeJS.Timeout | null = null;

  const fatal = (error: Error) => {
    if (isStopped || isReported) return;
    isReported = true;
    options.onFatal(error);
  };
  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
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
    lost ??= after(deadAfterMs, () => fatal(new Error(`no connection to Slack for ${deadAfterMs / 1000} s`)));
  };
  const connections = [1, 2].map(
    (connection): Connection => watch(createReceiver(options), { log: log.child({ connection }), changed, fatal }),
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
    isConnected,
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
function createReceiver({ appToken, apiUrl, log }: SocketOptions): SocketModeReceiver {
  return new SocketModeReceiver({
    appToken,
    logger: slackLogger(log),
    installerOptions: { clientOptions: { slackApiUrl: apiUrl, timeout: 10_000 } },
  });
}

interface Watcher {
  readonly log: Logger;
  changed(): void;
  fatal(error: Error): void;
}

/** A reconnect that fails for good is an unhandled rejection inside the client; `start` is where it can be seen. */
function watch(receiver: SocketModeReceiver, { log, changed, fatal }: Watcher): Connection {
  const { client } = receiver;
  const connection: Connection = { receiver, isOpen: false };
  let hasStarted = false;
  const mark = (isOpen: boolean) => {
    if (connection.isOpen !== isOpen) log.info(`a connection to Slack is ${isOpen ? 'open' : 'closed'}`);
    connection.isOpen = isOpen;
    changed();
  };
  client.on('connected', () => {
    hasStarted = true;
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
