/**
 * One step towards Slack's being in step with the journal. An intent is written before each call, so that a successor (or this
 * one after an answer that never came) looks for the message before it posts again.
 */

import { type Draft, NOWHERE } from '../journal.ts';
import { isDue, showCard, writeLastTime } from './card.ts';
import { sendFile } from './file.ts';
import { post, postNext, resolve } from './post.ts';
import type { Report, State, Turn } from './report.ts';
import { CARD } from './subject.ts';
import { viewOf } from './view.ts';

/** While replies wait, the card is written at least this often. */
const CARD_BEHIND_MS = 5_000;

/** Does the next thing that Slack has not got. `stale` = until when (our clock, ms) a predecessor's edit of the card may still land; 0 = none. */
export async function takeTurn(work: Report, draft: Draft, stale: number): Promise<Turn> {
  const { home } = draft.entry;
  if (home === null) return 'over';
  if (home === NOWHERE) return tellNobody(work, draft);
  const left = work.patience.left(work.tools.clock.now());
  if (left > 0) return { again: left };
  const state = { draft, view: await viewOf(draft.entry.run, work.tools) };
  const { intent } = draft;
  if (intent !== null && intent.event !== CARD) return resolve(work, state, intent);
  if (draft.root === null) return postRoot(work, state);
  return (await takeFirst(work, state)) ?? settle(work, state, stale);
}

async function postRoot(work: Report, state: State): Promise<Turn> {
  const left = work.rerooting.left(work.tools.clock.now());
  return left > 0 ? { again: left } : post(work, state, { kind: 'root' });
}

async function tellNobody({ id, tools, fence }: Report, draft: Draft): Promise<Turn> {
  await tools.outbox.delivered(id, fence, draft.entry.seq, null);
  await tools.outbox.carded(id, fence, draft.entry.rev, null);
  return (await tools.outbox.settle(id, fence)) === 'more' ? 'on' : 'over';
}

/**
 * The first step that can be taken now, else how long the soonest waits; null where nothing is left. The newest reply goes first, as it
 * notifies; but the card never stays behind many of them, nor behind a file; unless it was tried before and Slack gave no answer: news must not wait for that.
 */
async function takeFirst(work: Report, state: State): Promise<Turn | null> {
  const { draft } = state;
  const isCardBehind = draft.filing !== null || (isDue(work, draft) && draft.cardAge > CARD_BEHIND_MS);
  const isCardFirst = isCardBehind && draft.intent === null;
  const next = draft.filing === null ? postNext : sendFile;
  const waits: number[] = [];
  for (const step of isCardFirst ? [showCard, next] : [next, showCard]) {
    const turn = await step(work, state);
    if (typeof turn === 'string') return turn;
    if (turn !== null) waits.push(turn.again);
  }
  return waits.length === 0 ? null : { again: Math.min(...waits) };
}

/** Everything is said. A predecessor's edit may still land on a card that stays for long: then it is written once more, after that can't happen. */
async function settle(work: Report, state: State, stale: number): Promise<Turn> {
  const { id, tools, fence } = work;
  if (stale > 0) {
    const turn = await writeLastTime(work, state, stale);
    if (turn !== null) return turn;
  }
  return (await tools.outbox.settle(id, fence)) === 'more' ? 'on' : 'over';
}
