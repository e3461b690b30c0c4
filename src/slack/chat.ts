/** Slack's Web API as jobs and commands see it: one try a post, errors in our terms, every message marked with its key. */

import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { type Chat, ChatError, type Message, type MessageKey, type Place } from '../chat.ts';
import { slackCode } from './chat-errors.ts';
import { type ApiAccess, call, openClient } from './client.ts';
import { openFallback } from './fallback.ts';
import { openFiles } from './files.ts';
import { findMessage } from './find-message.ts';
import { openGroups } from './groups.ts';
import { remember } from './memo.ts';
import { readPerson } from './person.ts';

const KNOWN_MS = 60_000;
/** A bot that was just invited should not hear for a minute that it is no member. */
const NOT_YET_MS = 3000;

/**
 * A client each for posts, edits, searches, reads and files, since a 429 holds up a whole client of the SDK though Slack limits one method.
 * Posts are never retried here: a lost response would be posted twice. Nor are searches: who waits for one waits longer each time.
 */
export function openChat(options: ApiAccess): Chat {
  const [posts, edits, files] = [openClient(options, 0), openClient(options, 0), openClient(options, 0)];
  const [searches, reads] = [openClient(options, 0), openClient(options, 2)];
  const send = openFallback(options.log);
  const { gate } = options;
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
    post: (where, message, key) =>
      send(gate.message(message), async (shown) => {
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
      }),

    async edit(place, message, key) {
      await send(gate.message(message), (shown) =>
        call('chat.update', () =>
          edits.chat.update({ ...content(shown, key), ...place, parse: 'none', link_names: false }),
        ),
      );
    },

    async whisper({ channel, thread: ts }, user, message) {
      await send(gate.message(message), ({ text, blocks }) =>
        call('chat.postEphemeral', () =>
          posts.chat.postEphemeral({
            channel,
            user,
            text,
            blocks: [...blocks],
            ...(ts === null ? {} : { thread_ts: ts }),
            parse: 'none',
            link_names: false,
          }),
        ),
      );
    },

    find: (where, key, since) =>
      findMessage({ reads: searches, where, key, since, botId: async () => (await identity()).bot_id ?? null }),
    ...openFiles(files, options),
    isMember: membership,
    person,
    members: openGroups(reads),
    permalink: ({ channel, ts }) => permalink(`${channel} ${ts}`),
  };
}

const UNFURLED = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false } as const;

function content({ text, blocks }: Message, { run, event }: MessageKey) {
  return { text, blocks: [...blocks], metadata: { event_type: 'vigil', event_payload: { run, event } } };
}

function thread(where: { readonly thread: string | null }, { broadcast }: Message) {
  if (where.thread === null) return {};
  return broadcast === true ? { thread_ts: where.thread, reply_broadcast: true } : { thread_ts: where.thread };
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
