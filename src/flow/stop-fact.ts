/** The facts that a stop's proof is made of. */

import { list } from '../list.ts';
import { shownCommand } from '../log/shown-command.ts';
import { clip } from '../report/escape.ts';

/** How far a stop had to go. */
export type Way =
  /** The machine restarted since the launch: nothing was signalled. */
  | { readonly kind: 'restart'; readonly why: string }
  /** Nothing of it ran any more before the first signal. */
  | { readonly kind: 'before' }
  /** TERM was enough, or nothing else was in reach. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'killed'; readonly pids: readonly number[] };

/** 'gone' proves; 'there' = something of the run is left, or may be; 'unknown' = it can't be asked here, and nothing speaks against it. */
export interface Fact {
  readonly says: 'gone' | 'there' | 'unknown';
  /** A sentence; what is to be typed on the host stands in backticks. */
  readonly words: string;
}

export function gone(words: string): Fact {
  return { says: 'gone', words };
}

export function there(words: string): Fact {
  return { says: 'there', words };
}

export function unknown(words: string): Fact {
  return { says: 'unknown', words };
}

interface Who {
  readonly pid: number;
  readonly command: string;
  readonly user: string | null;
}

/** Three of them, and how many more. */
export function named(all: readonly Who[]): string {
  const shown = all.slice(0, 3).map(whoIs);
  const more = all.length - shown.length;
  return more === 0 ? list(shown) : `${shown.join(', ')} and ${more} more`;
}

/** For a command line: `4242 4243`. */
export function numbers(all: readonly Pick<Who, 'pid'>[]): string {
  return all
    .slice(0, 20)
    .map(({ pid }) => pid)
    .join(' ');
}

/** ``pid 4242 (`python train.py`, user root)``. */
export function whoIs({ pid, command, user }: Who): string {
  const shown = clip(shownCommand(command).replaceAll('`', 'ˋ'), 80);
  const known = [shown === '' ? null : `\`${shown}\``, user === null ? null : `user ${user}`].filter(
    (part) => part !== null,
  );
  return known.length === 0 ? `pid ${pid}` : `pid ${pid} (${known.join(', ')})`;
}
