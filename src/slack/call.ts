/** What a command is given: who asks, and what it may use. */

import type { ModalView } from '@slack/types';
import type { Logger } from 'pino';
import type { Chat, Message } from '../chat.ts';
import type { Config } from '../config/config.ts';
import type { Desk } from '../requests.ts';
import type { Who } from '../rights.ts';
import type { Clock } from '../tools.ts';

/** Slack gives 3 s for an answer; the rest of that is the way there and back. All ms. */
export const LIMITS = {
  /** To learn who asks. */
  person: 1000,
  /** Until an answer must be under way, whatever is still open. */
  answer: 2600,
  /** Until a run's thread should stand. */
  thread: 20_000,
  /** Between two looks for it. */
  poll: 500,
  /** Until a worker must have said something about a host, and between two looks for it. */
  host: 60_000,
  pollHost: 50,
  /** The first of the two for a server that is verified: longer than that may take, shorter than a question is kept. */
  verify: 180_000,
};

/** The same for every command of a process. */
export interface Edge {
  readonly config: Config;
  readonly desk: Desk;
  readonly chat: Chat;
  readonly clock: Clock;
  readonly log: Logger;
  /** Our workspace's id, and the bot's name and user id there. */
  readonly self: { readonly team: string; readonly name: string; readonly user: string };
  readonly limits: typeof LIMITS;
}

/** What Slack says about a command or a click. */
export interface Asked {
  readonly user: string;
  readonly team: string;
  readonly channel: string;
  /** Slack's trigger_id: the same for a redelivery. */
  readonly trigger: string;
}

/** Modals for who asks. A trigger opens one within 3 s, once; after that the opened one is changed. */
export interface Dialogs {
  /** The modal's id. Throws ChatError. */
  open(view: ModalView): Promise<string>;
  /**
   * Its new hash, or null where Slack names none. With `hash` it is changed only if it is still the one with that hash.
   * Throws ChatError `gone` where the person has closed it (`not_found`), or it is another one by now (`hash_conflict`).
   */
  update(id: string, view: ModalView, hash?: string | null): Promise<string | null>;
}

/** The way back to who asked, after the first answer (response_url: 5 uses, 30 minutes). */
export interface Followup {
  respond(message: Message): Promise<void>;
  /**
   * Work that goes on after the answer; a failure is logged by the owner, and a stop of the process waits for it. `owed`: it brings an answer that
   * was promised, so where the stop can't wait any longer who asked is told.
   */
  later(work: Promise<void>, how?: 'owed'): void;
  /** null where nothing can be opened: a mention brings no trigger. */
  readonly dialogs: Dialogs | null;
  /** Slack's response_url, for a modal to answer by it; null where there is none. */
  readonly url: string | null;
}

export interface Call extends Edge, Followup {
  readonly from: Asked;
  readonly who: Who;
  /** The run whose thread this is asked in, by its root; null for a slash command, of which Slack doesn't tell the thread. */
  readonly thread: { readonly channel: string; readonly ts: string } | null;
  /** Our clock, ms: when the answer must be under way. */
  readonly deadline: number;
}
