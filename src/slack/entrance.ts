/** The way in for what people do in Slack: sockets that we hold open, or requests that Slack sends. */

import type { Receiver } from '@slack/bolt';

export interface Entrance extends Receiver {
  /** Why nothing arrives at the moment, as a sentence, or null while something may. */
  trouble(): string | null;
}
