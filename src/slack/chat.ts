/** Slack's Web API as jobs and commands see it: one try a post, errors in our terms, every message marked with its key. */

import { type LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import { type Chat, ChatError, type Message, type MessageKey, type Place } from '../chat.ts';
import { plainSection } from '../report/blocks.ts';
import { chatError, slackCode } from './chat-errors.ts';
import { findMessage } from './find-message.ts';
import { slackLogger } from './logger.ts';
import { remember } from './memo.ts';
import { readPerson } from './person.ts';

export interface ChatOptions {
  readonly token: string;
  /** Ends in /api/. */
  readonly apiUrl: string;
  /** Of one call, ms. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

const KNOWN_MS = 60_000;
/** A bot that was just invited should not hear for a minute that it is no member. */
const NOT_YET_MS = 3000;

/**
 * Three clients, since a 429 holds up a whole client of the SDK though Slack limits one method: posts, edits, reads.
 * Posts are never retried here: a lost response would be posted twice.
 */
export function openChat(options: ChatOptions): Chat {
  const [posts, edits, reads] = [client(options, 0), client(options, 0), client(options, 2)];
  const self = remember(
    () => reads.auth.test(),
    () => Number.POSITIVE_INFINITY,
  );
  const identity = () => call('auth.test', () => self('self'));
  const person = remember(
    (user) => readPerson(reads, user, identity),
    () => KNOWN_MS,
  );
  const membership = remember(
    (channel) => isMember(reads, channel),
    (isIn) => (isIn ? KNOWN_MS : NOT_YET_MS),
  );
  // A message's link never changes; one that Slack doesn't give is asked for again.
  const permalink = remember(
    (place) => linkOf(reads, place),
    (link) => (link === null ? 0 : Number.POSITIVE_INFINITY),
  );

  return {
    async post(where, message, key) {
      return withPlainFallback(options.log, message, async (shown) => {
        const answer = await call('chat.postMessage', () =>
          posts.chat.postMessage({
            ...content(shown, key),
            channel: where.channel,
            ...thread(where, shown),
            ...UNFURLED,
          }),
        );
        if (!answer.ts) throw new ChatError('ambiguous', 'chat.postMessage: Slack answered without a ts');
        const place = { channel: answer.channel ?? where.channel, ts: answer.ts };
        if (where.thread === null || answer.message?.thread_ts === where.thread) return place;
        return removeStray(edits, options.log, place);
      });
    },

    async edit(place, message, key) {
      await withPlainFallback(options.log, message, (shown) =>
        call('chat.update', () =>
          edits.chat.update({ ...content(shown, key), ...place, parse: 'none', link_names: false }),
        ),
      );
    },

    find: (where, key, since) =>
      findMessage({ reads, where, key, since, botId: async () => (await identity()).bot_id ?? null }),
    isMember: membership,
    person,

    permalink: ({ channel, ts }) => permalink(`${channel} ${ts}`),
  };
}

const UNFURLED = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false } as const;

function client({ token, apiUrl, timeoutMs, log }: ChatOptions, retries: number): WebClient {
  const settings: WebClientOptions & { logLevel?: LogLevel } = {
    slackApiUrl: apiUrl,
    timeout: timeoutMs,
    retryConfig: { retries, minTimeout: 200, maxTimeout: 1000 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(log),
  };
  return new WebClient(token, settings);
}

function content({ text, blocks }: Message, { run, event }: MessageKey) {
  return { text, blocks: [...blocks], metadata: { event_type: 'vigil', event_payload: { run, event } } };
}

function thread(where: { readonly thread: string | null }, { broadcast }: Message) {
  if (where.thread === null) return {};
  return broadcast === true ? { thread_ts: where.thread, reply_broadcast: true } : { thread_ts: where.thread };
}

/** Refused blocks are our mistake, and must not keep the news from people: the sentence alone still goes out. */
async function withPlainFallback<T>(log: Logger, message: Message, send: (message: Message) => Promise<T>): Promise<T> {
  try {
    return await send(message);
  } catch (error) {
    if (!(error instanceof ChatError) || error.kind !== 'invalid') throw error;
    log.error({ err: error }, 'Slack refused a message; its text goes out alone');
    return send({ ...message, blocks: [plainSection(message.text)] });
  }
}

/** A reply whose root was deleted lands at the top of the channel, with ok: true (slack-go/slack#1571). */
async function removeStray(edits: WebClient, log: Logger, { channel, ts }: Place): Promise<never> {
  await call('chat.delete', () => edits.chat.delete({ channel, ts })).catch((error: unknown) =>
    log.warn({ err: error, channel, ts }, 'a reply without its root could not be removed again'),
  );
  throw new ChatError('gone', 'chat.postMessage: the root of the thread was deleted');
}

/** `place`: channel and ts, a blank between. */
async function linkOf(reads: WebClient, place: string): Promise<string | null> {
  const [channel = '', ts = ''] = place.split(' ');
  const asked = call('chat.getPermalink', () => reads.chat.getPermalink({ channel, message_ts: ts }));
  return (await asked.catch(() => null))?.permalink ?? null;
}

/** Whether the bot is in the channel; one that it can't even see is one that it isn't in. */
async function isMember(reads: WebClient, channel: string): Promise<boolean> {
  try {
    const answer = await call('conversations.info', () => reads.conversations.info({ channel }));
    return answer.channel?.is_member === true;
  } catch (error) {
    const code = slackCode(error);
    if (code === 'channel_not_found' || code === 'method_not_supported_for_channel_type') return false;
    throw error;
  }
}

async function call<T>(method: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw chatError(method, error);
  }
}
