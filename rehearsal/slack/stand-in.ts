/** What the stand-in takes and offers. */

import type { DisconnectReason, SentEnvelope } from './envelopes.ts';
import type { Faults } from './faults.ts';
import type { Outcome } from './interactions.ts';
import type { StoredView } from './methods/method.ts';
import type { Change, Ephemeral, Message, User } from './records.ts';
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
  }[];
  /** `teamId` differs from the workspace's for people of other organisations. */
  readonly users: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: User['kind'];
    readonly teamId?: string;
  }[];
  readonly teamId?: string;
  readonly appName?: string;
  /** Commands that the page offers to try. */
  readonly suggestions?: readonly string[];
  /** How long Slack waits for an ack; 3000 ms unless a test shortens it. */
  readonly ackLimitMs?: number;
  /** Wall clock in ms, for message times and for the life of response_urls. */
  readonly now?: () => number;
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
  submit(input: { user: string; viewId: string; values: Readonly<Record<string, unknown>> }): Promise<Outcome>;
  /** Roots and replies of a channel, oldest first, deleted ones included. */
  messages(channel: string): Message[];
  ephemerals(): Ephemeral[];
  views(): readonly StoredView[];
  /** null for an id that is nobody's. */
  userName(id: string): string | null;
  /** A person deletes a message, the app's or another. */
  deleteMessage(channel: string, ts: string): void;
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
  };
  /** Web API calls in the order in which they were carried out. */
  calls(method?: string): ApiCall[];
  stop(): Promise<void>;
}
