/** What a message in a run's thread is about: its key in Slack, its place, its words. */

import { createHash } from 'node:crypto';
import type { Message } from '../chat.ts';
import type { Draft, Shown } from '../journal.ts';
import { renderCard } from '../report/card.ts';
import { renderReply } from '../report/reply.ts';
import { say } from '../report/say.ts';
import { snippetOf } from '../report/snippet.ts';
import { logsLine } from '../report/words.ts';
import type { Run, RunEvent } from '../run/run.ts';
import { isOldNews, isUrgent } from './news.ts';
import type { State } from './report.ts';
import { standingOf } from './standing.ts';

/** The key of the thread's root. */
export const ROOT = 'root';
/** The key of an edit's intent. */
export const CARD = 'card';

export type Subject =
  | { readonly kind: 'root' }
  /** The card's words in the thread, where the card itself can't be edited. */
  | { readonly kind: 'state'; readonly rev: number }
  | { readonly kind: 'event'; readonly seq: number }
  /** In place of the file that an event should have brought. */
  | { readonly kind: 'unfiled'; readonly seq: number };

export function keyOf(subject: Subject): string {
  switch (subject.kind) {
    case 'root':
      return ROOT;
    case 'state':
      return `state-${subject.rev}`;
    case 'event':
      return String(subject.seq);
    case 'unfiled':
      return `unfiled-${subject.seq}`;
  }
}

export function subjectOf(key: string): Subject {
  const number = Number(/(?<!\d)\d+$/.exec(key)?.[0]);
  if (key === ROOT) return { kind: 'root' };
  if (key.startsWith('state-')) return { kind: 'state', rev: number };
  return key.startsWith('unfiled-') ? { kind: 'unfiled', seq: number } : { kind: 'event', seq: number };
}

export function placeOf({ root, entry }: Draft, { kind }: Subject): { channel: string; thread: string | null } {
  return { channel: root?.channel ?? entry.home ?? '', thread: kind === 'root' ? null : (root?.ts ?? null) };
}

/** null where nothing is to be said (any more, by our clock in ms). */
export function messageOf({ draft, view }: State, subject: Subject, now: number): Message | null {
  const { run } = draft.entry;
  switch (subject.kind) {
    case 'root':
    case 'state':
      return renderCard(run, view);
    case 'event': {
      const event = eventOf(draft, subject.seq);
      return event === undefined || isOldNews(event, run, now) ? null : renderReply(event, run, view);
    }
    case 'unfiled':
      return say(`Slack did not take the log as a file. \`${logsLine(run)}\` shows its last lines.`);
  }
}

/** Whether an event has a reply, or brings a file. */
export function saysSomething(event: RunEvent, { draft, view }: State, now: number): boolean {
  const { run } = draft.entry;
  return messageOf({ draft, view }, { kind: 'event', seq: event.seq }, now) !== null || snippetOf(event, run) !== null;
}

/** What stands before an end is as urgent as that. */
export function isPressing({ events }: Draft, { kind }: Subject): boolean {
  return kind !== 'event' || events.some(isUrgent);
}

export function eventOf({ events }: Draft, seq: number): RunEvent | undefined {
  return events.find((event) => event.seq === seq);
}

/** What is to be remembered of a card that is sent. */
export function shownBy(card: Message, run: Run): Shown {
  const digest = createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 22);
  return { digest, standing: standingOf(run) };
}
