/** Bolt, wired: what comes over the sockets goes to answer.ts and click.ts, and what they say goes back. No decision is made here. */

import { App, type BlockAction, type ButtonAction, type RespondArguments, type RespondFn } from '@slack/bolt';
import { WebAPIRequestError } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Chat, Message } from '../chat.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../errors.ts';
import type { Desk } from '../requests.ts';
import type { Clock } from '../tools.ts';
import { answerCommand } from './answer.ts';
import { type Edge, type Followup, LIMITS } from './call.ts';
import { slackCode } from './chat-errors.ts';
import { answerClick, type ClickAnswer } from './click.ts';
import { createFlights } from './flights.ts';
import { slackLogger } from './logger.ts';
import { createOnce } from './once.ts';
import { openSockets } from './sockets.ts';

export interface SlackAppOptions {
  readonly slack: { readonly botToken: string; readonly appToken: string; readonly apiUrl: string };
  readonly config: Config;
  readonly desk: Desk;
  readonly chat: Chat;
  readonly clock: Clock;
  readonly log: Logger;
  /** Slack can't be reached any more in a way that only a new process mends. */
  onFatal(error: Error): void;
}

export interface SlackApp {
  /** Waits for answers under way, then closes the connections. */
  stop(): Promise<void>;
  isConnected(): boolean;
}

const CONNECTIONS = { staggerMs: 20_000, deadAfterMs: 60_000 };
const DRAIN_MS = 5000;

/** Connects; throws ConfigError for a token that Slack refuses. */
export async function startSlackApp(options: SlackAppOptions, connections = CONNECTIONS): Promise<SlackApp> {
  const { slack, log } = options;
  const sockets = openSockets({ ...slack, log, ...connections, onFatal: options.onFatal });
  const app = new App({
    receiver: sockets,
    token: slack.botToken,
    deferInitialization: true,
    logger: slackLogger(log),
    clientOptions: { slackApiUrl: slack.apiUrl, timeout: 10_000, retryConfig: { retries: 2 } },
  });
  const flights = createFlights();
  const edge = await identifyApp(app, options);
  listen(app, edge, flights.add);
  await connect(app, slack.apiUrl);
  return {
    isConnected: sockets.isConnected,
    async stop() {
      const left = await flights.drain(DRAIN_MS);
      if (left > 0) log.warn({ left }, 'answers to Slack were still under way at the stop');
      await sockets.stop();
    },
  };
}

/** Who we are. The token is tried here, so that a wrong one is told at the start. */
async function identifyApp(app: App, options: SlackAppOptions): Promise<Edge> {
  try {
    await app.init();
    const self = await app.client.auth.test();
    const { config, desk, chat, clock, log } = options;
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

async function connect(app: App, apiUrl: string): Promise<void> {
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

function listen(app: App, edge: Edge, fly: (work: Promise<void>) => void): void {
  const commands = createOnce<Message>(1000);
  const clicks = createOnce<ClickAnswer>(1000);
  const followup = (respond: RespondFn): Followup => ({
    async respond(message) {
      await respond(privately(message));
    },
    later: (work) =>
      fly(work.catch((error: unknown) => edge.log.error({ err: error }, 'what follows an answer failed'))),
  });

  app.command(/.*/, ({ ack, respond, command }) => {
    const { command: name, text, user_id: user, team_id: team, channel_id: channel, trigger_id: trigger } = command;
    const answering = commands(trigger, () =>
      answerCommand(edge, { command: name, text, user, team, channel, trigger }, followup(respond)),
    );
    const work = answering.then((message) => reply({ edge, ack: () => ack(privately(message)), respond, message }));
    fly(work);
    return work;
  });

  app.action({ type: 'block_actions' }, async ({ ack, respond, body, action }) => {
    await ack();
    const click = readClick(body, action);
    if (click === null) return;
    const answering = clicks(click.trigger, () => answerClick(edge, click, followup(respond)));
    const work = answering.then(async ({ replaces, ...message }) => {
      await respond({ ...privately(message), replace_original: replaces });
    });
    fly(work);
    return work;
  });

  app.error(async (error) => edge.log.error({ err: error }, 'Slack: a listener failed'));
}

/** Ack, and where the connection broke in between, the response_url: nobody is left without a word. */
async function reply(way: {
  edge: Edge;
  ack: () => Promise<void>;
  respond: RespondFn;
  message: Message;
}): Promise<void> {
  try {
    await way.ack();
  } catch (error) {
    way.edge.log.warn({ err: error }, 'an ack did not pass; the answer goes to the response_url');
    await way.respond(privately(way.message));
  }
}

function privately({ text, blocks }: Message): RespondArguments & { response_type: 'ephemeral' } {
  return { response_type: 'ephemeral', replace_original: false, text, blocks: [...blocks] };
}

/** A button's click; links and menus of others' making say nothing to us. */
function readClick(body: BlockAction, action: BlockAction['actions'][number]) {
  if (!isButton(action)) return null;
  const { user, team, trigger_id: trigger } = body;
  return {
    action: action.action_id,
    value: action.value ?? '',
    user: user.id,
    team: user.team_id ?? team?.id ?? '',
    channel: body.channel?.id ?? '',
    trigger,
  };
}

function isButton(action: BlockAction['actions'][number]): action is ButtonAction {
  return action.type === 'button';
}
