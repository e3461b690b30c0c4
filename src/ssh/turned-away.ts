import { HostUnreachable } from '../errors.ts';

/** The host closed the connection before it said a word: it has too many at once, or has banned this machine. */
export class TurnedAway extends HostUnreachable {}
