/** Buttons as data: what a click does, and what is true when it can't. */

import type { Message } from '../../chat.ts';
import type { Call } from '../call.ts';

export interface Button {
  /** The action_id. */
  readonly action: string;
  /** For the log. */
  readonly verb: string;
  /** What is true when Redis doesn't answer. */
  readonly whenClosed: string;
  /** The answer takes the place of the message that has the button: only where nobody else sees that. */
  readonly replaces: boolean;
  /** `value` is the button's own: it may be old, or anybody's. Looks at the clicker's rights. */
  carryOut(value: string, call: Call): Promise<Message>;
}
