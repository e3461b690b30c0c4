/** The card, edited in place: at a pace of its own, within the workspace's budget, and only where it says something else. */

import { ChatError } from '../chat.ts';
import type { Draft, Shown } from '../journal.ts';
import { renderCard } from '../report/card.ts';
import { isEnd } from '../run/run.ts';
import { intend } from './intend.ts';
import { forgetRoot, moveHome } from './move.ts';
import { post } from './post.ts';
import { going, type Report, type State, type Turn } from './report.ts';
import { standingOf } from './standing.ts';
import { CARD, ROOT, shownBy } from './subject.ts';

/** Since it was asked for, or since its turn came (ms). */
const YOUNG_MS = 2 * 60_000;

/** Whether the card's own pace allows an edit now, if it has anything new to say. */
export function isDue(work: Report, draft: Draft): boolean {
  return draft.cardRev < draft.entry.rev && paceLeft(work, draft) <= 0;
}

/** null where the card says what there is to say. */
export async function showCard(work: Report, { draft, view }: State): Promise<Turn | null> {
  const { id, tools, fence } = work;
  const { run, rev } = draft.entry;
  const { root } = draft;
  if (root === null || draft.cardRev >= rev) return null;
  const card = renderCard(run, view);
  const shown = shownBy(card, run);
  if (isSame(shown, draft.shown)) return going(await tools.outbox.carded(id, fence, rev, null));
  if (draft.isFrozen) {
    if (isUrgent(draft)) return post(work, { draft, view }, { kind: 'state', rev });
    return going(await tools.outbox.carded(id, fence, rev, null));
  }
  const left = paceLeft(work, draft);
  if (left > 0) return { again: left };
  const wait = await tools.budgets.edit(id, isUrgent(draft));
  if (wait > 0) return { again: wait };
  const turn = await intend(work, CARD, 1);
  if (turn !== null) return turn;
  try {
    await tools.chat.edit(root, card, { run: id, event: ROOT });
  } catch (error) {
    return whenRefused(error, work, draft, shown);
  }
  work.patience.answered();
  return going(await tools.outbox.carded(id, fence, rev, shown));
}

/** Once more what stands there for long, after a predecessor's edit can't land on it any more. null = done, or not needed. */
export async function writeLastTime(work: Report, { draft, view }: State, stale: number): Promise<Turn | null> {
  const { id, tools, fence } = work;
  const { run, rev } = draft.entry;
  if (draft.root === null || draft.isFrozen || standingOf(run) === 'under way') return null;
  const left = stale - tools.clock.now();
  if (left > 0) return { again: left };
  const wait = await tools.budgets.edit(id, true);
  if (wait > 0) return { again: wait };
  const turn = await intend(work, CARD, 1);
  if (turn !== null) return turn;
  const card = renderCard(run, view);
  try {
    await tools.chat.edit(draft.root, card, { run: id, event: ROOT });
  } catch (error) {
    if (!isFinal(error)) return whenRefused(error, work, draft, shownBy(card, run));
    tools.log.warn({ run: id, err: error }, 'the final card could not be written a second time');
    return (await tools.outbox.carded(id, fence, rev, null)) === 'written' ? null : 'over';
  }
  work.patience.answered();
  return (await tools.outbox.carded(id, fence, rev, shownBy(card, run))) === 'written' ? null : 'over';
}

/** Trying again would end alike. */
function isFinal(error: unknown): boolean {
  return error instanceof ChatError && !['ambiguous', 'limited', 'dead'].includes(error.kind);
}

function paceLeft({ tools: { timings, clock } }: Report, draft: Draft): number {
  if (isUrgent(draft)) return 0;
  const { request, turnAt } = draft.entry.run;
  const isYoung = clock.now() - (turnAt ?? request.at) < YOUNG_MS;
  return (isYoung ? timings.cardYoung : timings.cardOld) - draft.cardAge;
}

/** An end, ready, a server that is not well: what the card doesn't show yet. */
function isUrgent({ entry: { run }, shown }: Draft): boolean {
  const standing = standingOf(run);
  return standing !== 'under way' && standing !== shown?.standing;
}

function isSame(one: Shown, other: Shown | null): boolean {
  return one.digest === other?.digest && one.standing === other.standing;
}

/** `shown`: what the card would say. */
async function whenRefused(error: unknown, work: Report, draft: Draft, shown: Shown): Promise<Turn> {
  if (!(error instanceof ChatError)) throw error;
  const { id, tools, fence } = work;
  const { run, rev } = draft.entry;
  tools.log.warn({ run: id, kind: error.kind, err: error }, 'Slack did not take an edit of a card');
  const isAllTold = isEnd(run.phase) && !isUrgent(draft) && draft.events.length === 0;
  switch (error.kind) {
    case 'ambiguous': // an edit is safe to repeat
      work.patience.failed(tools.clock.now());
      return 'on';
    case 'limited':
      await tools.budgets.rest('edit', error.retryAfterMs);
      return going(await tools.outbox.withdraw(id, fence));
    case 'gone':
      if (isAllTold) break;
      return forgetRoot(work);
    case 'closed':
      if (isAllTold) break;
      return moveHome(work, draft, error);
    case 'frozen':
      return going(await tools.outbox.freeze(id, fence));
    case 'invalid': // in every form: what comes next keeps its pace all the same
      return going(await tools.outbox.carded(id, fence, rev, shown));
    case 'dead':
      work.patience.failed(tools.clock.now());
      return going(await tools.outbox.withdraw(id, fence));
    default:
      return error.kind satisfies never;
  }
  // What it would say more is not worth a new thread.
  return going(await tools.outbox.carded(id, fence, rev, null));
}
