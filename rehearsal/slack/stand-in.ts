/** What the stand-in takes and offers. */

import type { DisconnectReason, SentEnvelope } from './envelopes.ts';
import type { AppEvent } from './events.ts';
import type { Faults } from './faults.ts';
import type { Sharing } from './files.ts';
import type { StoredView } from './methods/method.ts';
import type { OutageKind } from './outage.ts';
import type { Outcome } from './outcome.ts';
import type { Change, Ephemeral, Message, OpenView, User, UserGroup } from './records.ts';
import type { Tiers } from './tiers.ts';
import type { ApiCall } from './web-api.ts';

export interface SlackOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Serve the web page; false leaves only what the app needs. */
  readonly page?: boolean;
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly botIsMember: boolean;
    readonly private?: boolean;
    /** Ids of the people in it; everybody unless given. */
    readonly members?: readonly string[];
  }[];
  /** `teamId` differs from the workspace's for people of other organisations. */
  readonly users: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: User['kind'];
    readonly teamId?: string;
  }[];
  readonly groups?: readonly UserGroup[];
  readonly teamId?: string;
  readonly appName?: string;
  /** Commands that the page offers to try. */
  readonly suggestions?: readonly string[];
  /** How long Slack waits for an ack; 3000 ms unless a test shortens it. */
  readonly ackLimitMs?: number;
  /** Wall clock in ms, for message times, the life of response_urls, triggers and upload URLs, and for `tiers`. */
  readonly now?: () => number;
  /** How often methods may be called: Slack's own limits, or so many calls a minute by method; unlimited unless given. */
  readonly tiers?: Tiers;
  /** How slowly shared files come to be seen; a moment, and one look too early, unless given. */
  readonly sharing?: Partial<Sharing>;
  /** Types of blocks in messages that this workspace refuses, such as `plan`. */
  readonly refuses?: readonly string[];
  /** The bot token's scopes, which every answer then names; none is missed all the same. */
  readonly scopes?: readonly string[];
}

export interface SlackStandIn {
  /** For `slackApiUrl`; ends in /api/. */
  readonly apiUrl: string;
  readonly pageUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  /** The app's own bot user. */
  readonly botUserId: string;
  /** Types a command such as `/vllm help`; resolves with the ack, or after 3 s without one. */
  command(input: { user: string; channel: string; text: string }): Promise<Outcome>;
  /** Presses a button; rejects if no such button stands there. */
  click(input: { user: string; channel: string; ts: string; actionId: string }): Promise<Outcome>;
  /** Says something in a channel or a thread; with the app's `<@…>` in it the app hears it as app_mention, if it is in the channel. */
  talk(input: { user: string; channel: string; thread?: string; text: string }): Promise<Outcome | null>;
  /** The modals that are open, newest last. */
  dialogs(): readonly OpenView[];
  /**
   * Chooses or clicks something inside an open modal: a block_actions of the view, unless it waits for the submission. `value`: an option's
   * value, a button's, or a text; of boxes it turns one on or off. `values`: what else stands in the form by then.
   */
  choose(input: {
    user: string;
    viewId: string;
    actionId: string;
    value: string;
    values?: Readonly<Record<string, unknown>>;
  }): Promise<Outcome>;
  /** Sends an open modal; `values` by block_id and action_id, as view.state.values, over those that were chosen before. */
  submit(input: { user: string; viewId: string; values: Readonly<Record<string, unknown>> }): Promise<Outcome>;
  /** Closes a modal by its cross. */
  dismiss(input: { user: string; viewId: string }): Promise<void>;
  /** Roots and replies of a channel, oldest first, deleted ones included. */
  messages(channel: string): Message[];
  ephemerals(): Ephemeral[];
  views(): readonly StoredView[];
  /** null for an id that is nobody's. */
  userName(id: string): string | null;
  /** A person deletes a message, the app's or another. */
  deleteMessage(channel: string, ts: string): void;
  /** The channel is archived, or brought back. */
  archive(channel: string, isArchived?: boolean): void;
  /** The app is thrown out of a channel. */
  kick(channel: string): void;
  invite(channel: string): void;
  /** The app hears of something that happened to it as a whole. Neither revokes nor limits anything. */
  tell(event: AppEvent): Promise<Outcome>;
  /** From now on every call ends in token_revoked, until `restore`. */
  revoke(): void;
  restore(): void;
  /** Slack is away: methods, uploads, response_urls and connections, until the returned function is called. The page stays. */
  outage(kind: OutageKind): () => void;
  /** Changes how slowly shared files come to be seen, from now on. */
  shareFiles(sharing: Partial<Sharing>): void;
  /** Every change as it happens; returns how to stop listening. */
  on(listener: (change: Change) => void): () => void;
  readonly faults: Faults;
  readonly connections: {
    /** Connections that take envelopes now. */
    readonly open: number;
    envelopes(): SentEnvelope[];
    redeliver(envelopeId?: string): void;
    /** Sends `disconnect` to all connections, or to the oldest `only`. */
    disconnect(reason: DisconnectReason, only?: number): void;
    cut(): void;
    /** All connections, or the oldest `only`, go dead without closing: nothing comes through, and pings stay unanswered. */
    deafen(only?: number): void;
  };
  /** Web API calls in the order in which they were carried out. */
  calls(method?: string): ApiCall[];
  stop(): Promise<void>;
}
