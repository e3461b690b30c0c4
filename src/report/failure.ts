/** How a failure is said, in the card and in the reply alike. */

import type { KnownBlock } from '@slack/types';
import type { Cause } from '../diagnosis/cause.ts';
import type { Failure } from '../run/run.ts';
import { plainSection, preformatted, section } from './blocks.ts';
import { clip, code, escapeText } from './escape.ts';
import { exitHint } from './words.ts';

/** Cause, `shown` as log text, remedy, and how the process ended. */
export function failureBlocks(failure: Failure, show: (cause: Cause) => string): KnownBlock[] {
  const { cause, exit, reason } = failure;
  const ended = [reason, exit === null ? null : exitHint(exit)].filter((words) => words !== null).join(' ');
  if (cause === null) return [plainSection(exit === null ? reason : `${ended} The log shows no cause.`)];
  const where = cause.process === null ? '' : `${code(cause.process, 80)}, `;
  return [
    section(`*${title(cause)}* (${where}line ${cause.line} of the log)`),
    preformatted(show(cause)),
    plainSection(`What to do: ${cause.remedy}`),
    plainSection(ended),
  ];
}

/** `torch.OutOfMemoryError: CUDA out of memory. …`, at most `max` characters. */
export function exceptionText(cause: Cause, max: number): string {
  const saysItsType = cause.type === null || cause.message.startsWith(cause.type);
  return clip(saysItsType ? cause.message : `${cause.type}: ${cause.message}`, max);
}

/** The cause's title for mrkdwn. */
function title(cause: Cause): string {
  return escapeText(clip(cause.title, 200));
}
