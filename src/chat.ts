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
 * - `gone`: the message or the thread's root was deleted.
 * - `frozen`: the message stands there and can't be edited any more (a setting of the workspace); its thread can be written to.
 * - `closed`: this channel can't be written to (not a member, archived, not found, restricted), or the workspace doesn't let us do this (scope, plan,
 *   files turned off): trying again is of no use.
 * - `invalid`: our blocks or text were refused; the plain text may still pass.
 * - `dead`: the token or the app is revoked; nothing will pass.
 */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly kind: 'ambiguous' | 'limited' | 'gone' | 'frozen' | 'closed' | 'invalid' | 'dead';
  readonly retryAfterMs: number;
  /** `ambiguous` since Slack answered with a code that we don't know. */
  readonly isStrange: boolean;

  constructor(
    kind: ChatError['kind'],
    message: string,
    options?: ErrorOptions & { retryAfterMs?: number; isStrange?: boolean },
  ) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options?.retryAfterMs ?? 0;
    this.isStrange = options?.isStrange ?? false;
  }
}

/** The key that marks a message of ours in its metadata: event_type `vigil`, event_payload {run, event}. */
export interface MessageKey {
  readonly run: string;
  readonly event: string;
}

/** A log as a file in a thread: collapsed there, opened and searched in Slack. */
export interface Snippet {
  /** With its extension. */
  readonly filename: string;
  /** Plain text; people see it above the file. */
  readonly title: string;
  /** Masked; 1 byte to 1 MB. */
  readonly text: string;
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
  /** Hands a file over, without retry; its id. Nobody sees it before it is shared. */
  upload(snippet: Snippet): Promise<string>;
  /** Shows an uploaded file in a thread, with a sentence above it (mrkdwn); safe to repeat with the same file once `isShared` says no. */
  share(
    file: string,
    where: { channel: string; thread: string },
    said: { title: string; comment: string },
  ): Promise<void>;
  /** Whether the file stands in the channel: Slack shows it some time after `share`. */
  isShared(file: string, channel: string): Promise<boolean>;
  /** Shows a message to one person alone (chat.postEphemeral); Slack keeps it nowhere. Throws `closed` where they or the bot are not in the channel. */
  whisper(where: { channel: string; thread: string | null }, user: string, message: Message): Promise<void>;
  isMember(channel: string): Promise<boolean>;
  /** A link to a message, or null where Slack gives none. */
  permalink(place: Place): Promise<string | null>;
  /** Who that is, as seen from our own workspace. */
  person(user: string): Promise<Person>;
  /** Ids of the people in a user group (S…); kept for 5 minutes. */
  members(group: string): Promise<readonly string[]>;
}
