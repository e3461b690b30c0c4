/** What all steps of a report share. */

import type { Draft, Written } from '../journal.ts';
import type { Tools } from '../processor.ts';
import type { View } from '../report/view.ts';
import type { Patience } from './patience.ts';

export interface Report {
  readonly id: string;
  readonly tools: Tools;
  readonly fence: number;
  readonly signal: AbortSignal;
  readonly patience: Patience;
  /** Before the thread gets another root: somebody, or an app that tidies up, may delete each of them. */
  readonly rerooting: Patience;
  /** By a file's id, how often Slack has said that it is not shown. */
  readonly unseen: Map<string, number>;
  /** Resolves after `ms`, or when the signal fires. */
  readonly pause: (ms: number) => Promise<void>;
}

/** The run as it is now, and what its messages need beside it. */
export interface State {
  readonly draft: Draft;
  readonly view: View;
}

/** What one turn came to: go on at once, look again after so many ms or at the next news, leave it to the keeper, or over. */
export type Turn = 'on' | { readonly again: number } | 'later' | 'over';

export function going(written: Written): Turn {
  return written === 'written' ? 'on' : 'over';
}
