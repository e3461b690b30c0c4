/** How a failure is said, in the card and in the reply alike. */

import type { KnownBlock } from '@slack/types';
import type { Cause } from '../diagnosis/cause.ts';
import type { Failure } from '../run/run.ts';
import { plainSection, preformatted, section } from './blocks.ts';
import { clip, code, escapeText } from './escape.ts';
import { exitHint, lower, PHASE_WORDS } from './words.ts';

/** Cause, `shown` as log text, remedy, and how the process ended; without a cause the log's last lines. */
export function failureBlocks(failure: Failure, show: (cause: Cause) => string): KnownBlock[] {
  if (failure.kind === 'refused') return [plainSection(failure.reason)];
  const { cause, exit, tail } = failure;
  const ended = [endWords(failure), exitHint(exit)].filter((words) => words !== null).join(' ');
  if (cause === null) {
    const lines =
      tail.length === 0 ? [] : [section('The log shows no cause. Its last lines:'), preformatted(tail.join('\n'))];
    return [plainSection(ended), ...lines];
  }
  const where = cause.process === null ? '' : `${code(cause.process, 80)}, `;
  return [
    section(`*${title(cause)}* (${where}line ${cause.line} of the log)`),
    preformatted(show(cause)),
    plainSection(`What to do: ${cause.remedy}`),
    plainSection(ended),
  ];
}

/** How and when the process ended, as a sentence. */
export function endWords({ exit, during }: Failure & { kind: 'ended' }): string {
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  if (during === 'ready') return `The server was ready, then its process ended with ${how}; nobody asked for a stop.`;
  return `The process ended with ${how} while it was ${lower(PHASE_WORDS[during])}; nobody asked for a stop.`;
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
