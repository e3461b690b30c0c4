/** Which moments of a run bring its log into the thread as a file, and what is said with it. */

import type { Run, RunEvent } from '../run/run.ts';
import { sentenceOf } from './blocks.ts';
import { clip, escapeText } from './escape.ts';
import { nameOf } from './say.ts';
import type { View } from './view.ts';
import { isToldDeath } from './vitals.ts';

/** What the file is called and what is said with it; whoever sends it reads the text. */
export interface SnippetWords {
  /** With its extension; letters, digits, dots, dashes and underscores alone. */
  readonly filename: string;
  /** Plain text. */
  readonly title: string;
  /** One sentence, as mrkdwn. */
  readonly comment: string;
  readonly source: 'log';
}

/** null for an event that brings no file: most bring none, and an end after a dead engine no second one. */
export function snippetOf(event: RunEvent, run: Run, view: Pick<View, 'askerName'> = {}): SnippetWords | null {
  const why = whyShown(event, run, view);
  if (why === null || run.started === null) return null;
  const { name } = run.request;
  return {
    filename: `${clip(name, 80).replace(/[^\w.-]/g, '-')}.log`,
    title: clip(`Log of ${name}, its end`, 150),
    comment: sentenceOf(`The end of the log of ${nameOf(run)}, ${why}.`),
    source: 'log',
  };
}

function whyShown(event: RunEvent, run: Run, { askerName }: Pick<View, 'askerName'>): string | null {
  switch (event.kind) {
    case 'failed':
      return event.failure.kind === 'refused' || isToldDeath(event.failure, run) ? null : 'which failed';
    case 'engine_dead':
      return 'whose engine has died';
    case 'log_asked':
      return `asked for by ${escapeText(clip(askerName ?? event.by, 80))}`;
    default:
      return null;
  }
}
