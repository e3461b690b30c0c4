/** A real, unmodified Bolt app against the stand-in, with as many Socket Mode receivers as asked for. */
import { App, type Logger, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { SlackStandIn } from '../../../rehearsal/slack/server.ts';

export interface RunningApp {
  readonly app: App;
  stop(): Promise<void>;
}

export const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** Connects before it resolves. `listen` adds the listeners. */
export async function startBolt(
  slack: SlackStandIn,
  options: { receivers?: number; listen?: (app: App) => void; pingTimeoutMs?: number } = {},
): Promise<RunningApp> {
  const receivers = Array.from(
    { length: options.receivers ?? 1 },
    () =>
      new SocketModeReceiver({
        appToken: slack.appToken,
        logger: silent,
        ...(options.pingTimeoutMs !== undefined && { clientPingTimeout: options.pingTimeoutMs }),
        installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
      }),
  );
  const [first, ...others] = receivers;
  if (first === undefined) throw new Error('an app needs a receiver');
  const app = new App({
    receiver: first,
    token: slack.botToken,
    logger: silent,
    deferInitialization: true,
    clientOptions: {
      slackApiUrl: slack.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: 2000,
    },
  });
  options.listen?.(app);
  await app.init();
  for (const receiver of others) receiver.init(app);
  await app.start();
  await Promise.all(others.map((receiver) => receiver.start()));
  return {
    app,
    async stop() {
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    },
  };
}
