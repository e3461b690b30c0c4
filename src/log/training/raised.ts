/** Lines of a traceback that no process's name stands before: its source lines and its exception are nobody's words on the training. */

import { isBar, type Spoken } from '../speaker.ts';
import { HEAD } from '../traceback-head.ts';
import type { TrainingState } from './state.ts';

const EXCEPTION = /^[A-Za-z_][\w.]{0,200}(?::|$)/;

/** Whether the line is one of them; keeps in the state whether a traceback is open. Bars are drawn between its lines. */
export function isRaised({ process, shape, message }: Spoken, state: TrainingState): boolean {
  if (process !== null || shape !== 'plain') return false;
  const wasOpen = state.isRaising;
  state.isRaising = message.trimEnd() === HEAD;
  if (state.isRaising || !wasOpen) return false;
  if (/^\s/.test(message) || isBar(message) || message.includes('━')) {
    state.isRaising = true;
    return /^\s/.test(message) && !isBar(message);
  }
  return EXCEPTION.test(message);
}
