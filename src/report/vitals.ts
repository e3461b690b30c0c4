/** The replies of a server that is up: verified, not usable, hanging, dead, and what else happens to it in weeks. Only what needs a person mentions who asked. */

import type { Message } from '../chat.ts';
import { type Failure, isEnd, type Run, type RunEvent } from '../run/run.ts';
import { lengthWords, tokensPerSecond } from '../verify/figures.ts';
import type { Outcome, Verification } from '../verify/verification.ts';
import type { Disk } from '../vitals/vitals.ts';
import { noteBlocks, seenBlocks } from './before.ts';
import { message, section } from './blocks.ts';
import { duration } from './duration.ts';
import { clip, escapeText } from './escape.ts';
import { endAndHint } from './failure.ts';
import { hangBlocks, hangWords } from './hang.ts';
import {
  deathBlocks,
  deathWords,
  diskBlock,
  diskWords,
  errorsBlock,
  errorsWords,
  fallBlock,
  fallWords,
} from './life.ts';
import { verificationWords } from './numbers.ts';
import { outcomeWords } from './outcome.ts';
import { lower } from './phase-words.ts';
import { nameOf, say, told } from './say.ts';
import { withoutColon } from './sentence.ts';
import { tryAgain } from './try-again.ts';
import { verificationBlocks, worstWords } from './verification.ts';
import type { View } from './view.ts';

type LifeEvent = RunEvent & {
  kind: 'verified' | 'unusable' | 'hang' | 'hang_over' | 'engine_dead' | 'acceptance_fell' | 'disk' | 'errors';
};

const GIB = 1024 ** 3;
/** A disk with less, or full within so many hours, can't wait until somebody looks (bytes, ms). */
const LITTLE_ROOM = 5 * GIB;
const SOON_MS = 12 * 3_600_000;

export function renderLifeReply(event: LifeEvent, run: Run, view: View): Message {
  switch (event.kind) {
    case 'verified':
      return verified(event, run, view);
    case 'unusable':
      return unusable(event.verification, run, view);
    case 'hang': {
      const before = isEnd(run.phase) ? undefined : view.before;
      const blocks = [...noteBlocks(before), ...hangBlocks(event.hang, run, 'reply'), ...seenBlocks(before)];
      return told(run, `${nameOf(run)} hangs.`, blocks, hangWords(event.hang));
    }
    case 'hang_over':
      return say(`It works again: it had done nothing for ${duration(event.ms)}.`);
    case 'engine_dead': {
      const { death } = event;
      const before = isOfAnother(death.cause?.fingerprint, run) ? undefined : view.before;
      const blocks = deathBlocks(death, { run, carrier: 'reply', before });
      const remedy = death.cause === null ? '' : ` ${death.cause.remedy}`;
      return told(run, `${nameOf(run)}: its engine has died.`, blocks, `${deathWords(death)}${remedy}`);
    }
    case 'acceptance_fell': {
      const head = `${nameOf(run)}: fewer of its drafts are accepted than before.`;
      return told(run, head, [fallBlock(event.fall, run)], fallWords(event.fall));
    }
    case 'disk':
      return disk(event.disk, run);
    case 'errors':
      return message(`${nameOf(run)}: ${errorsWords(event.errors)}`, [errorsBlock(event.errors, run)]);
    default:
      return event satisfies never;
  }
}

/** The head of the reply that says it is ready, and what stands under it. */
export function readyWords(
  verification: Verification | undefined,
  run: Run,
  view: View,
): { head: string; more: string; blocks: readonly Message['blocks'][number][] } {
  if (verification === undefined) return { head: `${nameOf(run)} is ready.`, more: '', blocks: [] };
  const words = outcomeWords(verification);
  const head =
    verification.outcome === 'unusable'
      ? `${nameOf(run)} is up, and ${escapeText(lower(words))}.`
      : `${nameOf(run)} is ${escapeText(lower(words))}.`;
  const before = verification.outcome === 'ready' || isEnd(run.phase) ? undefined : view.before;
  const blocks = [...noteBlocks(before), ...verificationBlocks(verification, 'reply'), ...seenBlocks(before)];
  return { head, more: worstWords(verification) ?? verificationWords(verification), blocks };
}

function unusable(verification: Verification, run: Run, view: View): Message {
  const { head, more, blocks } = readyWords(verification, run, view);
  const next = section('It is not ready. Vigil goes on asking it, and tells here when it is.');
  return told(run, head, [...blocks, next], more);
}

const RANK: Readonly<Record<Outcome, number>> = { ready: 0, warnings: 1, unusable: 2 };

/** Mentions who asked for the run only where it does worse than the time before. */
function verified({ verification, before }: LifeEvent & { kind: 'verified' }, run: Run, view: View): Message {
  const isWorse = before !== null && RANK[verification.outcome] > RANK[before.outcome];
  const head = `Verified again${askedBy(verification, run, view)}: ${shortly(verification)}${sameAs(verification, before)}.`;
  const kept = verification.recorded === null ? [section(recordStays(verification))] : [];
  const blocks = [...verificationBlocks(verification, 'reply', 'Now'), ...against(verification, before), ...kept];
  const more = worstWords(verification) ?? verificationWords(verification);
  if (isWorse) return told(run, `${nameOf(run)} does worse than before. ${head}`, blocks, more);
  return message(`${head} ${escapeText(clip(more, 300))}`, [section(head), ...blocks]);
}

function askedBy({ by }: Verification, run: Run, { verifierName }: View): string {
  if (by === null) return '';
  const name = by === run.verification?.by ? (verifierName ?? by) : by;
  return `, asked by ${escapeText(clip(name, 80))}`;
}

function sameAs({ outcome }: Verification, before: Verification | null): string {
  if (before === null) return '';
  return before.outcome === outcome ? ', as before' : `; the time before ${shortly(before)}`;
}

function shortly(verification: Verification): string {
  return escapeText(lower(withoutColon(outcomeWords(verification))));
}

/** The numbers of the time before, where there are some on both sides. */
function against({ speed, acceptance }: Verification, before: Verification | null): Message['blocks'] {
  const parts = [
    speed === null || before?.speed == null ? null : tokensPerSecond(before.speed.tokensPerSecond),
    acceptance === null || before?.acceptance == null
      ? null
      : `mean acceptance length ${lengthWords(before.acceptance.length)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? [] : [section(`The time before: ${parts.join(', ')}.`)];
}

function recordStays({ record }: Verification): string {
  return record === null ? 'No record was set.' : 'The record stays as it was.';
}

function disk(found: Disk, run: Run): Message {
  const presses = found.free < LITTLE_ROOM || (found.fullInMs !== null && found.fullInMs < SOON_MS);
  const head = `${nameOf(run)}: a disk fills up.`;
  if (presses) return told(run, head, [diskBlock(found)], diskWords(found));
  return message(`${head} ${escapeText(diskWords(found))}`, [diskBlock(found)]);
}

/** Whether the death was told with the same cause: then the end needs no second traceback and no second mention. */
export function isToldDeath({ cause }: Failure & { kind: 'ended' }, { vitals }: Run): boolean {
  const death = vitals?.death;
  return death != null && (cause === null || cause.fingerprint === death.cause?.fingerprint);
}

export function endAfterDeath(failure: Failure & { kind: 'ended' }, run: Run): Message {
  const words = endAndHint(failure, run);
  return message(words, [section(words), ...tryAgain(run, failure.cause)]);
}

/** What is known from before belongs to what the run failed of, by now. */
function isOfAnother(fingerprint: string | undefined, { failure }: Run): boolean {
  return failure?.kind === 'ended' && failure.cause !== null && failure.cause.fingerprint !== fingerprint;
}
