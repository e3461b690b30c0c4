/** Why a request was not carried out, where the log is to say more than "usage". */

import { UsageError } from '../errors.ts';

/** Somebody may not do that; the reason is for the log, without a word of what was typed. */
export class Refused extends UsageError {
  readonly reason: 'right' | 'found' | 'guest' | 'bot' | 'stranger' | 'workspace' | 'unidentified';

  constructor(reason: Refused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** One thing is wrong with what was typed; `line` is all of it put right, without the slash command, for people to copy. */
export class Misspelt extends UsageError {
  readonly line: readonly string[];

  constructor(message: string, line: readonly string[]) {
    super(message);
    this.line = line;
  }
}

/** What is named belongs to another slash command; `line` is all of it for that one, with its slash, for people to copy. */
export class Elsewhere extends UsageError {
  readonly line: readonly string[];

  constructor(message: string, line: readonly string[]) {
    super(message);
    this.line = line;
  }
}
