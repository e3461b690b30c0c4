/** Messages of a run: the root of its thread and the replies, each posted once. */

import { ChatError, type Place } from '../chat.ts';
import type { Intent, Written } from '../journal.ts';
import { renderCard } from '../report/card.ts';
import { snippetOf } from '../report/snippet.ts';
import { intend } from './intend.ts';
import { forgetRoot, moveHome } from './move.ts';
import { going, type Report, type State, type Turn } from './report.ts';
import {
  eventOf,
  isPressing,
  keyOf,
  messageOf,
  placeOf,
  type Subject,
  saysSomething,
  shownBy,
  subjectOf,
} from './subject.ts';

/** How far before the first attempt the search for a message begins: clocks differ. */
const LOOK_BACK_MS = 60_000;
/** So often a message is tried that Slack answers with a word that we don't know: one message must not keep back all others, and the end. */
const MOST_STRANGE = 6;

/** The next event that says something; those before it that say nothing are passed over. null where there is no event. */
export async function postNext(work: Report, state: State): Promise<Turn | null> {
  const { id, tools, fence } = work;
  const { events } = state.draft;
  const now = tools.clock.now();
  const next = events.findIndex((event) => saysSomething(event, state, now));
  const passed = next === -1 ? events.at(-1) : events[next - 1];
  if (passed !== undefined) return going(await tools.outbox.delivered(id, fence, passed.seq, null));
  const event = events[next];
  return event === undefined ? null : post(work, state, { kind: 'event', seq: event.seq });
}

/** A message may have been posted by a predecessor, or by a call whose answer never came: looks for it once it can't land any more. */
export async function resolve(work: Report, state: State, intent: Intent): Promise<Turn> {
  const { id, tools } = work;
  const { draft } = state;
  const left = tools.timings.intent - draft.intentAge;
  if (left > 0) return { again: left };
  const subject = subjectOf(intent.event);
  const since = tools.clock.now() - draft.intentAge - intent.attempt * LOOK_BACK_MS;
  let found: Place | 'none' | 'unknown';
  try {
    found = await tools.chat.find(placeOf(draft, subject), { run: id, event: intent.event }, since);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    // It was the search that failed: the intent stays, since the message may still stand there.
    tools.log.warn({ run: id, kind: error.kind, err: error }, 'Slack could not be searched for a message');
    work.patience.failed(tools.clock.now(), error.retryAfterMs);
    return 'on';
  }
  work.patience.answered();
  if (typeof found !== 'string') return going(await arrived(work, state, subject, { place: found, isNew: false }));
  return post(work, state, subject, intent.attempt + 1);
}

export async function post(work: Report, state: State, subject: Subject, attempt = 1): Promise<Turn> {
  const { id, tools, patience } = work;
  const { draft } = state;
  const message = messageOf(state, subject, tools.clock.now());
  if (message === null) return going(await arrived(work, state, subject, null));
  const where = placeOf(draft, subject);
  const wait = await tools.budgets.post(where.channel, isPressing(draft, subject), id);
  if (wait > 0) return { again: wait };
  const key = keyOf(subject);
  const turn = await intend(work, key, attempt);
  if (turn !== null) return turn;
  try {
    const place = await tools.chat.post(where, message, { run: id, event: key });
    patience.answered();
    return going(await arrived(work, state, subject, { place, isNew: true }));
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return whenRefused(error, work, state, { subject, attempt });
  }
}

/** Slack has it, or (null) there was nothing to say. A root that is not new may say what an older revision said. */
async function arrived(
  { id, tools, fence }: Report,
  { draft, view }: State,
  subject: Subject,
  arrival: { readonly place: Place; readonly isNew: boolean } | null,
): Promise<Written> {
  const { outbox } = tools;
  const { run, rev } = draft.entry;
  switch (subject.kind) {
    case 'root': {
      const written = await outbox.delivered(id, fence, draft.cursor, arrival?.place ?? null);
      if (written !== 'written' || arrival?.isNew !== true) return written;
      return outbox.carded(id, fence, rev, shownBy(renderCard(run, view), run));
    }
    case 'state':
      return outbox.carded(id, fence, subject.rev, shownBy(renderCard(run, view), run));
    case 'event': {
      const event = eventOf(draft, subject.seq);
      if (event === undefined || snippetOf(event, run) === null) return outbox.delivered(id, fence, subject.seq, null);
      return outbox.file(id, fence, { event: subject.seq, file: null, tries: 0 }, false);
    }
    case 'unfiled':
      return outbox.delivered(id, fence, subject.seq, null);
  }
}

/** What a refusal of Slack means for the message. */
async function whenRefused(
  error: ChatError,
  work: Report,
  state: State,
  { subject, attempt }: { readonly subject: Subject; readonly attempt: number },
): Promise<Turn> {
  const { id, tools, fence, patience } = work;
  const passOver = async (): Promise<Turn> =>
    subject.kind === 'root' ? 'later' : going(await arrived(work, state, subject, null));
  tools.log.warn({ run: id, kind: error.kind, err: error }, 'Slack did not take a message');
  switch (error.kind) {
    case 'ambiguous':
      if (error.isStrange && attempt >= MOST_STRANGE) return passOver();
      patience.failed(tools.clock.now());
      return 'on';
    case 'limited':
      await tools.budgets.rest({ post: placeOf(state.draft, subject).channel }, error.retryAfterMs);
      return going(await tools.outbox.withdraw(id, fence));
    case 'gone':
      return forgetRoot(work);
    case 'closed':
      return moveHome(work, state.draft, error);
    case 'invalid':
    case 'frozen':
      return passOver();
    case 'dead':
      patience.failed(tools.clock.now());
      return going(await tools.outbox.withdraw(id, fence));
    default:
      return error.kind satisfies never;
  }
}
