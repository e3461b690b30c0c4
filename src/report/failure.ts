/** How a failure is said, in the card and in the reply alike: what it was, what to do, how the process ended, how to try again. */

import type { KnownBlock } from '@slack/types';
import type { Checklist } from '../check/check.ts';
import { refusalsIn } from '../check/sums.ts';
import { type Cause, TEAM_ROW } from '../diagnosis/cause.ts';
import { isUnseen } from '../run/request.ts';
import type { Failure, Run } from '../run/run.ts';
import { noteBlocks, seenBlocks } from './before.ts';
import { context, plainSection, preformatted, section } from './blocks.ts';
import { checklistBlocks, refusalsBlocks } from './checklist.ts';
import { culpritBefore } from './culprit.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { takenWords } from './holders.ts';
import type { Carrier } from './numbers.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { trimTraceback } from './traceback.ts';
import { againOnCard, restartWords, tryAgain } from './try-again.ts';
import type { Before } from './view.ts';
import { exitHint, logsLine, startLine } from './words.ts';

/** Where it is said. A card is cut to what a phone shows at once; the reply has all of it. */
export interface Telling {
  readonly run: Run;
  readonly carrier: Carrier;
  /** What is known of it from before. */
  readonly before: Before | undefined;
}

/** What a card shows of an exception or of a line of the log (characters), and how many lines of that. */
const ON_CARD = 160;
const LINES_ON_CARD = 3;

/** The blocks of a failure; without a cause the log's last lines and where to read on. */
export function failureBlocks(failure: Failure, telling: Telling): KnownBlock[] {
  if (failure.kind === 'refused') return refusalBlocks(failure, telling);
  const { cause } = failure;
  const { run, carrier, before } = telling;
  const again = carrier === 'card' ? againOnCard(run, cause) : tryAgain(run, cause);
  const ended = carrier === 'card' ? endOnCard(failure, run) : endAndHint(failure, run);
  const end = section([ended, ...behindWords(run)].join('\n'));
  if (cause === null)
    return [...noteBlocks(before), end, ...withoutCause(failure, telling), ...again, ...seenBlocks(before)];
  return [...causeBlocks(cause, telling), end, ...again];
}

/** What it was and what to do: a card says first what to do, a reply shows the telling frames before. The team's own note goes before all. */
export function causeBlocks(cause: Cause, { carrier, before }: Telling): KnownBlock[] {
  const line = causeLine(cause);
  const remedy = section(`*What to do:* ${markup(clip(cause.remedy, 1500))}`);
  const [note, seen] = [noteBlocks(before), seenBlocks(before)];
  if (carrier === 'card')
    return [...note, section(line), remedy, preformatted(exceptionInShort(cause, ON_CARD)), ...seen];
  const why = cause.why === '' ? '' : `\n${markup(clip(cause.why, 600))}`;
  return [...note, section(`${line}${why}`), preformatted(exceptionInFull(cause)), remedy, ...seen];
}

/** How the process ended, and what its exit code means where that helps; as mrkdwn. */
export function endAndHint(failure: Failure & { kind: 'ended' }, run: Run): string {
  return escapeText(joined([endWords(failure, run), hintOf(failure)]));
}

/** The same for a card, whose state says already that nobody wanted it so. */
function endOnCard(failure: Failure & { kind: 'ended' }, run: Run): string {
  const words = endWords(failure, run);
  const end = words.endsWith(UNASKED) ? `${words.slice(0, -UNASKED.length)}.` : words;
  return `${escapeText(joined([end, hintOf(failure)]))}${restartWords(run, failure.cause)}`;
}

function hintOf({ exit }: Failure & { kind: 'ended' }): string | null {
  return exit === null ? null : exitHint(exit);
}

function joined(sentences: readonly (string | null)[]): string {
  return sentences.filter((words) => words !== null).join(' ');
}

/** What others have is worth waiting for: whoever has it may be gone soon. */
function refusalBlocks(
  { reason, taken, checks }: Failure & { kind: 'refused' },
  { run, carrier, before }: Telling,
): KnownBlock[] {
  if (checks !== undefined) {
    const rows = carrier === 'card' ? refusalsBlocks(checks) : checklistBlocks(checks);
    const known = { note: noteBlocks(before), seen: seenBlocks(before) };
    return [...known.note, section(markup(reason)), ...rows, ...afterRefusal(checks, run), ...known.seen];
  }
  if (taken === undefined) return [plainSection(reason), ...tryAgain(run)];
  const wait = `*What to do:* ${code(`${startLine(run)} --queue`)} waits until it is free and starts by itself then.`;
  return [section(`${takenWords(taken, 'when this was accepted')}\nNothing was started.`), section(wait)];
}

/** A refusal is no verdict on the person: who knows better may say so. */
function afterRefusal(checks: Checklist, run: Run): KnownBlock[] {
  const again = `Once that is put right: ${code(startLine(run))}`;
  if (refusalsIn(checks).some(({ isFinal }) => isFinal)) return [context([again])];
  const force = `. Whoever has the right ${code('force')} on ${escapeText(run.request.host)} can start it all the same: ${code(`${startLine(run)} --force`)}`;
  return [context([`${again}${force}`])];
}

/** The end of the log, and how to read more of it. */
function withoutCause({ tail }: Failure & { kind: 'ended' }, { run, carrier }: Telling): KnownBlock[] {
  const next = `*What to do:* read the end of the log: ${code(logsLine(run))}`;
  if (tail.length === 0) return [section(`The log shows no cause. ${next}`)];
  const lines = carrier === 'card' ? tail.slice(-LINES_ON_CARD).map((line) => clip(line, ON_CARD)) : tail;
  const head = `The log shows no cause. Its last ${lines.length === 1 ? 'line' : 'lines'}:`;
  return [section(head), preformatted(lines.join('\n')), section(next)];
}

const UNASKED = '; nobody asked for a stop.';

/** How and when the process ended, as a sentence. */
export function endWords({ exit, during, cause }: Failure & { kind: 'ended' }, run: Run): string {
  if (isUnseen(run)) return 'That is what the log says; its process is not visible.';
  if (exit === null)
    return `Its process is gone${rankWords(run)}; its own exit code can't be seen, since Vigil did not start it.`;
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  if (run.vitals?.death != null) {
    const tidy = exit.code === 0 ? ' (vLLM ends tidily when its engine dies)' : '';
    return `Its engine died, then its process ended with ${how}${tidy}${UNASKED}`;
  }
  if (run.vitals?.hang != null) return `It hung, then its process ended with ${how}${UNASKED}`;
  if (during === 'ready') return `The server was ready, then its process ended with ${how}${UNASKED}`;
  if (run.request.kind === 'train' && cause !== null) return `The process ended with ${how}${rankWords(run)}${UNASKED}`;
  const when =
    during === 'launched'
      ? `before its log showed anything of a ${run.request.kind === 'train' ? 'training' : 'server'}`
      : `while it was ${lower(PHASE_WORDS[during])}`;
  return `The process ended with ${how} ${when}${UNASKED}`;
}

/** What torchrun says of the rank that failed: of ranks that hung it names the one that gave up waiting. */
function rankWords({ reading: { facts } }: Run): string {
  const { failed_rank: rank, exitcode_of_rank: code } = facts;
  return rank === undefined || code === undefined ? '' : ` (torchrun: rank ${rank} ended with ${code})`;
}

function behindWords({ work: { culprit } }: Run): string[] {
  return culprit === null ? [] : [markup(culpritBefore(culprit))];
}

/** Why it failed, in one line of mrkdwn: the cause with its place in the log, else how the process ended. */
export function failureLine(failure: Failure, run: Run): string {
  if (failure.kind === 'refused') return escapeText(clip(failure.reason, 600));
  const { cause } = failure;
  return cause === null ? escapeText(endWords(failure, run)) : causeLine(cause);
}

function causeLine(cause: Cause): string {
  const where = cause.process === null ? '' : `${code(cause.process, 80)}, `;
  const whose = cause.row === TEAM_ROW ? "your team's row, " : '';
  return `*${markup(clip(cause.title, 200))}* (${whose}${where}line ${cause.line} of the log)`;
}

/** `torch.OutOfMemoryError: CUDA out of memory. …`, at most `max` characters. */
export function exceptionText(cause: Cause, max: number): string {
  const saysItsType = cause.type === null || cause.message.startsWith(cause.type);
  return clip(saysItsType ? cause.message : `${cause.type}: ${cause.message}`, max);
}

/** The telling frames of its traceback, else the exception. */
function exceptionInFull(cause: Cause): string {
  return cause.traceback === null ? exceptionText(cause, 2400) : trimTraceback(cause.traceback.text);
}

/** The exception as a phone shows it: its first line, at most `max` characters. */
export function exceptionInShort(cause: Cause, max = 250): string {
  const [first = '', ...rest] = exceptionText(cause, 20_000).trim().split('\n');
  return clip(rest.length === 0 ? first : `${first} …`, max);
}
