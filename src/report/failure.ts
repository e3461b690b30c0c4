/** How a failure is said, in the card and in the reply alike: what it was, what to do, how the process ended, how to try again. */

import type { KnownBlock } from '@slack/types';
import type { Checklist } from '../check/check.ts';
import { refusalsIn } from '../check/sums.ts';
import { type Cause, type Retry, TEAM_ROW } from '../diagnosis/cause.ts';
import { isFound, isUnseen } from '../run/request.ts';
import type { Failure, Run } from '../run/run.ts';
import { context, plainSection, preformatted, section } from './blocks.ts';
import { checklistBlocks, refusalsBlocks } from './checklist.ts';
import { culpritBefore } from './culprit.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { takenWords } from './holders.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { exitHint, slashOf, startLine } from './words.ts';

/** Where it is said. A card is cut to what a phone shows at once; the reply has all of it. */
interface Telling {
  readonly run: Run;
  readonly carrier: 'card' | 'reply';
  /** The exception, as much of it as the carrier shows. */
  show(cause: Cause): string;
}

/** The blocks of a failure; without a cause the log's last lines and where to read on. */
export function failureBlocks(failure: Failure, telling: Telling): KnownBlock[] {
  if (failure.kind === 'refused') return refusalBlocks(failure, telling);
  const { cause, exit } = failure;
  const again = tryAgain(telling.run, cause);
  const hint = exit === null ? null : exitHint(exit);
  const end = escapeText([endWords(failure, telling.run), hint].filter((words) => words !== null).join(' '));
  const ended = section([end, ...behindWords(telling.run)].join('\n'));
  if (cause === null) return [ended, ...withoutCause(failure, telling), ...again];
  const line = failureLine(failure, telling.run);
  const remedy = section(`*What to do:* ${markup(clip(cause.remedy, 1500))}`);
  const shown = preformatted(telling.show(cause));
  if (telling.carrier === 'card') return [section(line), remedy, shown, ended, ...again];
  const why = cause.why === '' ? '' : `\n${markup(clip(cause.why, 600))}`;
  return [section(`${line}${why}`), shown, remedy, ended, ...again];
}

/** What others have is worth waiting for: whoever has it may be gone soon. */
function refusalBlocks(
  { reason, taken, checks }: Failure & { kind: 'refused' },
  { run, carrier }: Telling,
): KnownBlock[] {
  if (checks !== undefined) {
    const rows = carrier === 'card' ? refusalsBlocks(checks) : checklistBlocks(checks);
    return [section(markup(reason)), ...rows, ...afterRefusal(checks, run)];
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
  const line = carrier === 'card' ? 'the ssh line below' : "the ssh line in this thread's first message";
  const next = `*What to do:* read the end of the log: ${code(`${slashOf(run)} logs ${run.request.name}`)}, or ${line}.`;
  if (tail.length === 0) return [section(`The log shows no cause. ${next}`)];
  return [section('The log shows no cause. Its last lines:'), preformatted(tail.join('\n')), section(next)];
}

/** How to start the same once more, and whether that is of use; nothing for what somebody started by hand. */
export function tryAgain(run: Run, cause: Cause | null = null): KnownBlock[] {
  if (isFound(run)) return [];
  const when = cause === null ? 'To try again' : WHEN_AGAIN[cause.retry];
  return [context([`${when}: ${code(startLine(run))}`])];
}

const WHEN_AGAIN: Readonly<Record<Retry, string>> = {
  no: 'To try again once that is changed',
  'may help': 'To try again, which may help',
  helps: 'To try again, which usually helps',
};

/** How and when the process ended, as a sentence. */
export function endWords({ exit, during, cause }: Failure & { kind: 'ended' }, run: Run): string {
  if (isUnseen(run)) return 'That is what the log says; its process is not visible.';
  if (exit === null)
    return `Its process is gone${rankWords(run)}; its own exit code can't be seen, since Vigil did not start it.`;
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  if (during === 'ready') return `The server was ready, then its process ended with ${how}; nobody asked for a stop.`;
  if (run.request.kind === 'train' && cause !== null)
    return `The process ended with ${how}${rankWords(run)}; nobody asked for a stop.`;
  const when =
    during === 'launched'
      ? `before its log showed anything of a ${run.request.kind === 'train' ? 'training' : 'server'}`
      : `while it was ${lower(PHASE_WORDS[during])}`;
  return `The process ended with ${how} ${when}; nobody asked for a stop.`;
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
  if (cause === null) return escapeText(endWords(failure, run));
  const where = cause.process === null ? '' : `${code(cause.process, 80)}, `;
  const whose = cause.row === TEAM_ROW ? "your team's row, " : '';
  return `*${markup(clip(cause.title, 200))}* (${whose}${where}line ${cause.line} of the log)`;
}

/** `torch.OutOfMemoryError: CUDA out of memory. …`, at most `max` characters. */
export function exceptionText(cause: Cause, max: number): string {
  const saysItsType = cause.type === null || cause.message.startsWith(cause.type);
  return clip(saysItsType ? cause.message : `${cause.type}: ${cause.message}`, max);
}

/** The exception as a phone shows it: its first line, cut. */
export function exceptionInShort(cause: Cause): string {
  const [first = '', ...rest] = exceptionText(cause, 20_000).trim().split('\n');
  return clip(rest.length === 0 ? first : `${first} …`, 250);
}
