/** What jobs and commands need of Slack: interfaces only; src/slack implements them. */

import type { KnownBlock } from '@slack/types';

/** What people read: `text` is one full sentence (phones and screen readers show only that). */
export interface Message {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  /** A reply that the whole channel is shown too (Slack's reply_broadcast); ignored for a root and for edits. */
  readonly broadcast?: boolean;
}

/** A message's place: channel id and ts. */
export interface Place {
  readonly channel: string;
  readonly ts: string;
}

/**
 * Why Slack did not do it.
 * - `ambiguous`: no answer, a time-out or a 5xx: it may have been stored; look before posting again.
 * - `limited`: 429; nothing was stored; wait `retryAfterMs`.
 * - `gone`: the message or the thread's root was deleted (or can't be edited any more).
 * - `closed`: this channel can't be written to (not a member, archived, not found, restricted).
 * - `invalid`: our blocks or text were refused; the plain text may still pass.
 * - `dead`: the token or the app is revoked; nothing will pass.
 */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly kind: 'ambiguous' | 'limited' | 'gone' | 'closed' | 'invalid' | 'dead';
  readonly retryAfterMs: number;

  constructor(kind: ChatError['kind'], message: string, options?: ErrorOptions & { retryAfterMs?: number }) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options?.retryAfterMs ?? 0;
  }
}

/** The key that marks a message of ours in its metadata: event_type `vigil`, event_payload {run, event}. */
export interface MessageKey {
  readonly run: string;
  readonly event: string;
}

export interface Person {
  readonly kind: 'member' | 'guest' | 'bot' | 'stranger';
  /** Display name, plain text. */
  readonly name: string;
}

export interface Chat {
  /** Posts once, without retry, within 10 s. A reply whose root is gone is removed again and thrown as `gone`. */
  post(where: { channel: string; thread: string | null }, message: Message, key: MessageKey): Promise<Place>;
  /** Replaces a message of ours; safe to repeat. */
  edit(place: Place, message: Message, key: MessageKey): Promise<void>;
  /** Looks for a message of ours by its key: in a thread, or among the channel's roots; `since` is our clock in ms. `unknown` = Slack can't be asked (scope, membership). */
  find(
    where: { channel: string; thread: string | null },
    key: MessageKey,
    since: number,
  ): Promise<Place | 'none' | 'unknown'>;
  isMember(channel: string): Promise<boolean>;
  /** A link to a message, or null where Slack gives none. */
  permalink(place: Place): Promise<string | null>;
  /** Who that is, as seen from our own workspace. */
  person(user: string): Promise<Person>;
}
