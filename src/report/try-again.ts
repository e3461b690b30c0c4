/** How the same is started once more, and whether that is of use. */

import type { KnownBlock } from '@slack/types';
import type { Cause, Retry } from '../diagnosis/cause.ts';
import { isFound } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { context } from './blocks.ts';
import { code } from './escape.ts';
import { startLine } from './words.ts';

/** How to start the same once more, and whether that is of use; nothing for what somebody started by hand. */
export function tryAgain(run: Run, cause: Cause | null = null): KnownBlock[] {
  if (isFound(run)) return [];
  const when = cause === null ? 'To try again' : WHEN_AGAIN[cause.retry];
  return [context([`${when}: ${code(startLine(run))}`])];
}

/** A card has a button that starts the same once more: a line to type is of use only for what must be changed before. */
export function againOnCard(run: Run, cause: Cause | null): KnownBlock[] {
  return cause?.retry === 'no' && run.restartedAs === undefined ? tryAgain(run, cause) : [];
}

/** What that button is good for; '' where there is none, or nobody knows. */
export function restartWords(run: Run, cause: Cause | null): string {
  if (isFound(run) || run.restartedAs !== undefined || cause === null || cause.retry === 'no') return '';
  return cause.retry === 'helps' ? ' *Restart* usually helps.' : ' *Restart* may help.';
}

const WHEN_AGAIN: Readonly<Record<Retry, string>> = {
  no: 'To try again once that is changed',
  'may help': 'To try again, which may help',
  helps: 'To try again, which usually helps',
};
