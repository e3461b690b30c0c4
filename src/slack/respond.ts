/**
 * The ways back to who asked, best first: Slack's response_url (5 uses, 30 minutes), a message that only they see where they asked, a direct
 * message. An answer is rather shown twice than lost.
 */

import { randomUUID } from 'node:crypto';
import type { RespondArguments } from '@slack/bolt';
import type { Logger } from 'pino';
import { type Chat, ChatError, type Message } from '../chat.ts';
import { plainMessage } from '../report/plain.ts';
import type { Gate } from './gate.ts';
import { isSlackAddress } from './own-host.ts';

/** Where somebody asked. */
export interface Origin {
  readonly user: string;
  /** Empty where it is not known. */
  readonly channel: string;
  /** The root of the thread, or null. */
  readonly thread: string | null;
  /** The response_url, or null. */
  readonly url: string | null;
}

export interface Ways {
  readonly chat: Chat;
  readonly gate: Gate;
  readonly log: Logger;
  readonly apiUrl: string;
}

/** `replaces`: it takes the place of the message that was clicked, where Slack still can. Throws what the last way threw. */
export type Bring = (message: Message, how?: { readonly replaces: boolean }) => Promise<void>;

/** Of one post to a response_url, ms. */
const POST_MS = 5000;

export function openWayBack(ways: Ways, origin: Origin): Bring {
  const { chat, log } = ways;
  const { user, channel, thread } = origin;
  return async (message, { replaces } = { replaces: false }) => {
    if (await byUrl(ways, origin, { message, replaces })) return;
    if (channel !== '') {
      try {
        return await chat.whisper({ channel, thread }, user, message);
      } catch (error) {
        if (!(error instanceof ChatError)) throw error;
        log.warn(
          { user, channel, err: error },
          'an answer can not be shown where it was asked for; it goes out as a direct message',
        );
      }
    }
    await chat.post({ channel: user, thread: null }, message, { run: 'answer', event: randomUUID() });
  };
}

/** A message that only who asked sees. */
export function privately({ text, blocks }: Message): RespondArguments & { response_type: 'ephemeral' } {
  return { response_type: 'ephemeral', replace_original: false, text, blocks: [...blocks] };
}

/** Whether it was brought. */
async function byUrl(
  { gate, log, apiUrl }: Ways,
  { url, user }: Origin,
  { message, replaces }: { message: Message; replaces: boolean },
): Promise<boolean> {
  if (url === null || !isSlackAddress(url, apiUrl)) return false;
  const safe = gate.message(message);
  for (const shown of [safe, plainMessage(safe)]) {
    const refusal = await post(url, { ...privately(shown), replace_original: replaces });
    if (refusal === null) return true;
    log.warn({ user, refusal }, 'a response_url did not take an answer');
    if (!/blocks|text/.test(refusal)) return false;
  }
  return false;
}

/** null = taken, else why not, in a few words. */
async function post(url: string, body: object): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(POST_MS),
    });
    const said = (await answer.text()).slice(0, 100);
    return answer.ok ? null : `HTTP ${answer.status} ${said}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
