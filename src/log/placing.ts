/** Findings put at their lines, in the order in which they were made. */

import type { Trouble } from './events.ts';
import type { Finding } from './rules/rule.ts';
import type { Spoken } from './speaker.ts';

export interface Placed {
  readonly line: number;
  readonly stamp: string | null;
  readonly finding: Finding;
}

export interface Where {
  readonly line: number;
  readonly said: Spoken;
}

/** As of an exception's message. */
const MAX_MESSAGE = 4 * 1024;

export class Placing {
  #placed: Placed[] = [];

  place(finding: Finding, { line, said }: Where): void {
    this.#placed.push({ line, stamp: said.stamp, finding });
  }

  /** A failure that the line itself says; `of` where another process than the writer had it, or something else than a failure's own words told it. */
  fail({ line, said }: Where, of: Partial<Pick<Trouble, 'process' | 'pid' | 'source'>> = {}): void {
    const message = said.message.trim().slice(0, MAX_MESSAGE);
    const { process, pid } = said;
    const trouble: Trouble = { line, type: null, process, pid, message, traceback: null, ...of };
    this.place({ kind: 'trouble', trouble }, { line, said });
  }

  take(): readonly Placed[] {
    const placed = this.#placed;
    this.#placed = [];
    return placed;
  }
}
