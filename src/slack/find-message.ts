/** Looking for a message of ours by the key in its metadata: what a retry asks before it posts again. */

import type { WebClient } from '@slack/web-api';
import { ChatError, type MessageKey, type Place } from '../chat.ts';
import { chatError, slackCode } from './chat-errors.ts';

interface Search {
  readonly reads: WebClient;
  readonly where: { readonly channel: string; readonly thread: string | null };
  readonly key: MessageKey;
  /** Our clock, ms. */
  readonly since: number;
  readonly botId: () => Promise<string | null>;
}

/** What we read of a message; anybody's app can write the same metadata, so the bot is compared, too. */
interface Seen {
  readonly ts?: string;
  readonly bot_id?: string;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: object };
}

/** Our clock may be ahead of Slack's. */
const SKEW_MS = 60_000;
const PAGE = 200;
const MOST_PAGES = 20;

/** The message's place, 'none', or 'unknown' where Slack can't be asked (scope, membership) or there is too much to look through. */
export async function findMessage({ reads, where, key, since, botId }: Search): Promise<Place | 'none' | 'unknown'> {
  try {
    const bot = await botId();
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await readPage(reads, where, since, cursor);
      const found = answer.messages.find((message) => isOurs(message, key, bot));
      if (found?.ts !== undefined) return { channel: where.channel, ts: found.ts };
      cursor = answer.next;
      if (cursor === undefined) return 'none';
    }
    return 'unknown';
  } catch (error) {
    return withoutAnswer(error);
  }
}

async function readPage(
  reads: WebClient,
  { channel, thread }: Search['where'],
  since: number,
  cursor: string | undefined,
) {
  const span = {
    channel,
    oldest: String((since - SKEW_MS) / 1000),
    include_all_metadata: true,
    limit: PAGE,
    ...(cursor === undefined ? {} : { cursor }),
  };
  const method = thread === null ? 'conversations.history' : 'conversations.replies';
  try {
    const answer =
      thread === null
        ? await reads.conversations.history(span)
        : await reads.conversations.replies({ ...span, ts: thread });
    const messages: readonly Seen[] = answer.messages ?? [];
    return { messages, next: answer.response_metadata?.next_cursor || undefined };
  } catch (error) {
    throw chatError(method, error);
  }
}

function isOurs({ metadata, bot_id }: Seen, key: MessageKey, bot: string | null): boolean {
  if (metadata?.event_type !== 'vigil' || metadata.event_payload === undefined) return false;
  if (bot !== null && bot_id !== undefined && bot_id !== bot) return false;
  const payload = new Map<string, unknown>(Object.entries(metadata.event_payload));
  return payload.get('run') === key.run && payload.get('event') === key.event;
}

function withoutAnswer(error: unknown): 'none' | 'unknown' {
  if (!(error instanceof ChatError)) throw error;
  if (error.kind === 'gone') return 'none';
  if (error.kind === 'closed' || slackCode(error) === 'missing_scope') return 'unknown';
  throw error;
}
