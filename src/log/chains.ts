/** How the exceptions that a log tells hang together. */

import type { Trouble } from './events.ts';

/** True where `one` was raised from `other` or while it was handled, is one of its group's, or stands in its message. */
export function hangsOn({ line, chain }: Trouble, other: Trouble): boolean {
  if (chain?.line !== other.line) return false;
  // A JSON record holds its whole chain in one line.
  return line !== other.line || chain.what === firstLineOf(other);
}

/** True where `other` says more: an exception group and a message that quotes a traceback only hold what happened. */
export function isHolderOf(one: Trouble, other: Trouble): boolean {
  return (other.chain?.how === 'group' || other.chain?.how === 'quoted') && hangsOn(other, one);
}

/** The exception's first line, `KeyError: 'a'`, cut at 200 characters: as `Chain.what` has it. */
export function firstLineOf({ type, message }: Pick<Trouble, 'type' | 'message'>): string {
  const [first = ''] = message.split('\n');
  return (type === null ? first : first === '' ? type : `${type}: ${first}`).slice(0, 200);
}
