/** What goes over Socket Mode, and what became of it. */

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';
export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

export interface Envelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type Delivery =
  | { readonly kind: 'acked'; readonly payload: Readonly<Record<string, unknown>>; readonly afterMs: number }
  /** No ack within the limit. */
  | { readonly kind: 'unanswered'; readonly afterMs: number }
  /** No connection was open. */
  | { readonly kind: 'undelivered' };

export interface SentEnvelope extends Envelope {
  /** Connections that it was sent to, by number; a redelivery adds one. Empty where none was open. */
  readonly connections: readonly number[];
  /** Acks that came, late and repeated ones too. */
  readonly acks: readonly { readonly afterMs: number; readonly payload: Readonly<Record<string, unknown>> }[];
}

export interface Delivered {
  readonly envelopeId: string;
  readonly delivery: Promise<Delivery>;
}
