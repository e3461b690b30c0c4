/** A run that ended, in two short lines: what came of it, and what was measured. */

import { percent } from '../check/words.ts';
import type { HistoryEntry } from '../history/entry.ts';
import type { Phase } from '../run/run.ts';
import { lengthWords, tokensPerSecond } from '../verify/figures.ts';
import type { Outcome } from '../verify/verification.ts';
import { duration } from './duration.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { time } from './words.ts';

/** How long it stood in a line says nothing of the run itself. */
const BEFORE: readonly Phase[] = ['queued', 'checking'];

/** As mrkdwn; `thread`: the way to its thread, as mrkdwn, or null. */
export function historyRow(entry: HistoryEntry, thread: string | null): string {
  const { name, recipe, host, endedAt } = entry;
  const what = `${code(name)} *${escapeText(clip(recipe, 60))}* on *${escapeText(host)}*`;
  const way = thread === null ? '' : `, ${thread}`;
  const numbers = numberWords(entry);
  return `• ${what}, ${time(endedAt)}: ${endWords(entry)}${way}${numbers === '' ? '' : `\n    ${escapeText(numbers)}`}`;
}

/** `failed after 42 s: CUDA out of memory`. */
function endWords(entry: HistoryEntry): string {
  const { end, isRefused, cause } = entry;
  if (isRefused) return `not started: ${markup(clip(refusalWords(cause), 200))}`;
  if (entry.startedAt === null && end === 'stopped') return 'stopped before its start';
  const lasted = entry.phases.reduce((sum, { phase, ms }) => (BEFORE.includes(phase) ? sum : sum + ms), 0);
  const ended = `${end} after ${duration(lasted)}`;
  const why = end === 'lost' ? cause?.message.replace(/\.$/, '') : (cause?.title ?? exitWords(entry));
  return why == null ? ended : `${ended}: ${markup(clip(why, 120))}`;
}

function refusalWords(cause: HistoryEntry['cause']): string {
  if (cause === null) return 'nobody knows why';
  return cause.title === 'Not started' ? cause.message : cause.title;
}

/** Of a failure that nothing explains. */
function exitWords({ end, exit, phases }: HistoryEntry): string | null {
  if (end !== 'failed') return null;
  const during = phases.at(-1)?.phase;
  const how =
    exit === null ? 'its process is gone' : exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  if (during === undefined) return how;
  return `${how} ${during === 'launched' ? 'before its log showed anything' : `while ${lower(PHASE_WORDS[during])}`}`;
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  ready: 'verified',
  warnings: 'verified with warnings',
  unusable: 'not usable',
};

/** `verified with warnings, 61.2 tokens/s, first token after 84 ms, mean acceptance length 2.70 (57 %)`; '' without any. */
function numberWords({ outcome, numbers }: HistoryEntry): string {
  const { tokensPerSecond: rate, firstTokenMs, acceptance, loss, step } = numbers;
  const aside = numbers.isDisturbed === true ? ' (disturbed by others)' : '';
  const words = [
    outcome === null ? null : OUTCOMES[outcome],
    rate === null ? null : `${tokensPerSecond(rate)}${aside}`,
    firstTokenMs === null ? null : `first token after ${Math.round(firstTokenMs)} ms`,
    acceptance === null
      ? null
      : `mean acceptance length ${lengthWords(acceptance.length)} (${percent(acceptance.rate)})`,
    step === null ? null : `step ${step.toLocaleString('en-US')}`,
    loss === null ? null : `loss ${loss}`,
  ];
  return words.filter((word) => word !== null).join(', ');
}
