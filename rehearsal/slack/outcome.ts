/** What became of something that a person did. */
import type { Delivery } from './envelopes.ts';

export interface Outcome {
  /** An ack came within the limit. */
  readonly acked: boolean;
  /** The ack's payload, or null. */
  readonly ack: unknown;
  /** Time to the ack, or the limit; 0 if nothing could be sent. */
  readonly afterMs: number;
  /** What the user was told by Slack itself, or null. `incomplete_form`: nothing was sent, since the form lacks something. */
  readonly error:
    | 'operation_timeout'
    | 'dispatch_failed'
    | 'invalid_command_response'
    | 'invalid_view_response'
    | 'incomplete_form'
    | null;
  /** Empty where there is none: for events, and where nothing was sent. */
  readonly triggerId: string;
  readonly envelopeId: string;
}

/** The app didn't hear of it, and wasn't meant to. */
export const UNSENT: Outcome = { acked: false, ack: null, afterMs: 0, error: null, triggerId: '', envelopeId: '' };

export function toOutcome(delivery: Delivery, triggerId: string, envelopeId: string): Outcome {
  const ids = { triggerId, envelopeId };
  if (delivery.kind === 'acked')
    return { acked: true, ack: delivery.payload, afterMs: delivery.afterMs, error: null, ...ids };
  if (delivery.kind === 'unanswered') {
    return { acked: false, ack: null, afterMs: delivery.afterMs, error: 'operation_timeout', ...ids };
  }
  return { acked: false, ack: null, afterMs: 0, error: 'dispatch_failed', ...ids };
}
