/**
 * One step towards Slack's being in step with the journal. An intent is written before each call, so that a successor (or this
 * one after an answer that never came) looks for the message before it posts again.
 */

import { ChatError, type Message, type Place } from '../chat.ts';
import { wait } from '../flow/wait.ts';
import { type Draft, type Intent, NOWHERE, type Written } from '../journal.ts';
import type { Tools } from '../processor.ts';
import { renderCard } from '../report/card.ts';
import { renderReply } from '../report/reply.ts';
import type { View } from '../report/view.ts';
import { isEnd, type Run, type RunEvent } from '../run/run.ts';
import { viewOf } from './view.ts';

/** The key of the thread's root. */
const ROOT = 'root';
/** A phase that is told this much later than it happened is no news: the card has it. */
const OLD_NEWS_MS = 120_000;
/** While replies wait, the card is written at least this often. */
const CARD_BEHIND_MS = 5_000;
/** After this long a run that was adopted has caught up with its log. */
const CATCH_UP_MS = 60_000;
const YOUNG_MS = 10 * 60_000;
/** How far before the first attempt the search for a message begins: clocks differ. */
const LOOK_BACK_MS = 60_000;

export interface Report {
  readonly id: string;
  readonly tools: Tools;
  readonly fence: number;
  readonly signal: AbortSignal;
}

/** What one turn came to: go on at once, leave it to the keeper, or over. */
export type Turn = 'on' | 'later' | 'over';

/** Does the next thing that Slack has not got. `stale` = until when (our clock, ms) a predecessor's edit of the card may still land; 0 = none. */
export async function takeTurn(work: Report, draft: Draft, stale: number): Promise<Turn> {
  const { home } = draft.entry;
  if (home === null) return 'over';
  if (home === NOWHERE) return tellNobody(work, draft);
  const view = await viewOf(draft.entry.run, work.tools);
  if (draft.intent !== null && draft.intent.event !== 'card')
    return resolve(work, draft, { intent: draft.intent, view });
  if (draft.root === null) return post(work, draft, { key: ROOT, attempt: 1, view });
  const isCardOld = draft.cardRev < draft.entry.rev;
  // The newest reply first, as it notifies; but the card never stays behind many of them.
  if (draft.events.length > 0 && !(isCardOld && draft.cardAge > CARD_BEHIND_MS)) return postNext(work, draft, view);
  if (isCardOld) return editCard(work, draft, { root: draft.root, view });
  return settle(work, draft, { root: draft.root, view, stale });
}

async function tellNobody({ id, tools, fence }: Report, draft: Draft): Promise<Turn> {
  await tools.outbox.delivered(id, fence, draft.entry.seq, null);
  await tools.outbox.carded(id, fence, draft.entry.rev);
  return (await tools.outbox.settle(id, fence)) === 'more' ? 'on' : 'over';
}

/** A message may have been posted by a predecessor, or by a call whose answer never came: looks for it once it can't land any more. */
async function resolve(work: Report, draft: Draft, { intent, view }: { intent: Intent; view: View }): Promise<Turn> {
  const { id, tools, fence, signal } = work;
  const left = tools.timings.intent - draft.intentAge;
  if (left > 0) {
    await wait(left, signal);
    return 'on';
  }
  const since = tools.clock.now() - draft.intentAge - intent.attempt * LOOK_BACK_MS;
  const isRoot = intent.event === ROOT;
  let found: Place | 'none' | 'unknown';
  try {
    found = await tools.chat.find(placeOf(draft, intent.event), { run: id, event: intent.event }, since);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    // It was the search that failed: the intent stays, since the message may still stand there.
    tools.log.warn({ run: id, kind: error.kind, err: error }, 'Slack could not be searched for a message');
    if (error.kind === 'dead') return 'later';
    await wait(Math.max(error.retryAfterMs, tools.timings.reconnect), signal);
    return 'on';
  }
  if (typeof found === 'string') return post(work, draft, { key: intent.event, attempt: intent.attempt + 1, view });
  const cursor = isRoot ? draft.cursor : Number(intent.event);
  return going(await tools.outbox.delivered(id, fence, cursor, isRoot ? found : null));
}

/** The next event that says something; those before it that say nothing are passed over. */
async function postNext(work: Report, draft: Draft, view: View): Promise<Turn> {
  const { id, tools, fence } = work;
  const isSaid = (event: RunEvent): boolean =>
    !isOldNews(event, draft.entry.run) && renderReply(event, draft.entry.run, view) !== null;
  const next = draft.events.findIndex(isSaid);
  const passed = next === -1 ? draft.events.at(-1) : draft.events[next - 1];
  if (passed !== undefined) {
    const moved = await tools.outbox.delivered(id, fence, passed.seq, null);
    if (moved !== 'written') return 'over';
  }
  const event = draft.events[next];
  return event === undefined ? 'on' : post(work, draft, { key: String(event.seq), attempt: 1, view });
}

interface Posting {
  /** ROOT, or an event's sequence. */
  readonly key: string;
  readonly attempt: number;
  readonly view: View;
}

async function post(work: Report, draft: Draft, { key, attempt, view }: Posting): Promise<Turn> {
  const { id, tools, fence } = work;
  const message = messageOf(draft, key, view);
  if (message === null) return going(await tools.outbox.delivered(id, fence, Number(key), null));
  if ((await tools.outbox.intend(id, fence, key, attempt)) !== 'written') return 'over';
  try {
    const place = await tools.chat.post(placeOf(draft, key), message, { run: id, event: key });
    if (key !== ROOT) return going(await tools.outbox.delivered(id, fence, Number(key), null));
    await tools.outbox.delivered(id, fence, draft.cursor, place);
    return going(await tools.outbox.carded(id, fence, draft.entry.rev));
  } catch (error) {
    return answerTo(error, work, draft);
  }
}

/** The card, or what an event has to say: null for nothing. */
function messageOf({ entry, events }: Draft, key: string, view: View): Message | null {
  if (key === ROOT) return renderCard(entry.run, view);
  const event = events.find((one) => String(one.seq) === key);
  return event === undefined ? null : renderReply(event, entry.run, view);
}

function placeOf({ root, entry }: Draft, key: string): { channel: string; thread: string | null } {
  return { channel: root?.channel ?? entry.home ?? '', thread: key === ROOT ? null : (root?.ts ?? null) };
}

async function editCard(work: Report, draft: Draft, { root, view }: { root: Place; view: View }): Promise<Turn> {
  const { id, tools, fence, signal } = work;
  const { run, rev } = draft.entry;
  const { cardYoung, cardOld } = tools.timings;
  const isYoung = run.seenAt - run.request.at < YOUNG_MS;
  const left = (isYoung ? cardYoung : cardOld) - draft.cardAge;
  if (left > 0 && !isEnd(run.phase) && run.phase !== 'ready') {
    await wait(Math.min(left, 250), signal);
    return 'on';
  }
  if ((await tools.outbox.intend(id, fence, 'card', 1)) !== 'written') return 'over';
  try {
    await tools.chat.edit(root, renderCard(run, view), { run: id, event: ROOT });
    return going(await tools.outbox.carded(id, fence, rev));
  } catch (error) {
    return answerTo(error, work, draft);
  }
}

/** Everything is said. A predecessor's edit may still land on a card that stays for long: then it is written once more, after that can't happen. */
async function settle(
  { id, tools, fence, signal }: Report,
  draft: Draft,
  { root, view, stale }: { root: Place; view: View; stale: number },
): Promise<Turn> {
  const left = stale - tools.clock.now();
  if (stale > 0 && (isEnd(draft.entry.run.phase) || draft.entry.run.phase === 'ready')) {
    if (left > 0) await wait(left, signal);
    if (signal.aborted) return 'on';
    await tools.chat.edit(root, renderCard(draft.entry.run, view), { run: id, event: ROOT }).catch(() => {
      tools.log.warn({ run: id }, 'the final card could not be written a second time');
    });
  }
  return (await tools.outbox.settle(id, fence)) === 'more' ? 'on' : 'over';
}

/** What a refusal of Slack means for the report. */
async function answerTo(error: unknown, work: Report, draft: Draft): Promise<Turn> {
  if (!(error instanceof ChatError)) throw error;
  const { id, tools, fence, signal } = work;
  tools.log.warn({ run: id, kind: error.kind, err: error }, 'Slack did not take a message');
  switch (error.kind) {
    case 'ambiguous':
      await wait(tools.timings.reconnect, signal);
      return 'on';
    case 'limited': // nothing was stored: no intent is left to resolve
      await wait(error.retryAfterMs, signal);
      return going(await tools.outbox.delivered(id, fence, draft.cursor, null));
    case 'gone':
      return going(await tools.outbox.forgetRoot(id, fence, null));
    case 'closed': {
      const direct = draft.entry.run.request.by;
      // Nobody asked for what was found: it waits until the bot is let into the patrol's channel.
      if (direct === '' || draft.entry.home === direct) return 'later';
      return going(await tools.outbox.forgetRoot(id, fence, direct));
    }
    case 'invalid': {
      const skipped = draft.events[0]?.seq ?? draft.cursor;
      if (draft.root === null) return 'later';
      if (draft.events.length === 0) return going(await tools.outbox.carded(id, fence, draft.entry.rev));
      return going(await tools.outbox.delivered(id, fence, skipped, null));
    }
    case 'dead':
      return 'later';
    default:
      return error.kind satisfies never;
  }
}

const START_UP: readonly RunEvent['kind'][] = ['launched', 'ready', 'unverified', 'training'];

/** A run that Redis had lost is read from its log's start again: what its thread knows is not said a second time. */
function isOldNews(event: RunEvent, { adoptedAt }: Run): boolean {
  const isPhase = event.kind === 'phase' || event.kind === 'target_phase';
  if (isPhase && event.seen - event.at > OLD_NEWS_MS) return true;
  const isStartUp = isPhase || START_UP.some((kind) => kind === event.kind);
  return adoptedAt !== null && isStartUp && event.seen < adoptedAt + CATCH_UP_MS;
}

function going(written: Written): Turn {
  return written === 'written' ? 'on' : 'over';
}
