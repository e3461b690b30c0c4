/**
 * A log that goes into the thread as a file: handed over, then shown, then looked for, each step written down before it is taken. What was only
 * handed over nobody sees, so that may be done again; what may have been shown is asked for before it is shown again. All of it has one limit,
 * since the replies behind it wait.
 */

import { ChatError, type Place } from '../chat.ts';
import { logExcerpt } from '../flow/log-excerpt.ts';
import type { Draft, Filing } from '../journal.ts';
import { type SnippetWords, snippetOf } from '../report/snippet.ts';
import type { RunEvent } from '../run/run.ts';
import { within } from '../within.ts';
import { post } from './post.ts';
import { going, type Report, type State, type Turn } from './report.ts';
import { eventOf } from './subject.ts';
import { nameIn } from './view.ts';

/** So often it is handed over or shown. */
const MOST_TRIES = 4;
/** Slack doesn't say at once that a file is shown: so often it must say that it isn't. */
const LEAST_LOOKS = 6;

interface Sending {
  readonly filing: NonNullable<Draft['filing']>;
  readonly root: Place;
  readonly words: SnippetWords;
}

/** The next step of the file that is on its way; null where there is none. */
export async function sendFile(work: Report, state: State): Promise<Turn | null> {
  const { filing, root, entry } = state.draft;
  if (filing === null || root === null) return null;
  const event = eventOf(state.draft, filing.event);
  const words = event === undefined ? null : snippetOf(event, entry.run, await askerOf(event, work));
  if (event === undefined || words === null) return done(work, filing);
  const sending = { filing, root, words };
  try {
    if (filing.shareAge === null) {
      if (isSpent(filing, work)) return await giveUp(work, state, event, 'it took too long');
      return await (filing.file === null ? upload(work, state, sending) : share(work, filing.file, sending));
    }
    return await look(work, state, event, sending);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return whenRefused(error, work, state, { filing, event });
  }
}

async function askerOf(event: RunEvent, { tools }: Report): Promise<{ askerName?: string }> {
  return event.kind === 'log_asked' ? { askerName: await nameIn(tools, event.by) } : {};
}

function isSpent({ age, tries }: Sending['filing'], { tools }: Report): boolean {
  return age > tools.timings.file || tries >= MOST_TRIES;
}

/** Whether it stands there; shown once more only where Slack has said often enough that it doesn't. */
async function look(work: Report, state: State, event: RunEvent, sending: Sending): Promise<Turn> {
  const { filing, root } = sending;
  const { timings, chat } = work.tools;
  const { file, shareAge } = filing;
  if (file === null || (await chat.isShared(file, root.channel))) return done(work, filing);
  if (filing.age > timings.file) return giveUp(work, state, event, 'Slack does not show it');
  const unseen = (work.unseen.get(file) ?? 0) + 1;
  work.unseen.set(file, unseen);
  const isLost = (shareAge ?? 0) >= timings.fileShare && unseen >= LEAST_LOOKS;
  return isLost && !isSpent(filing, work) ? share(work, file, sending) : { again: timings.fileLook };
}

async function upload(work: Report, { draft }: State, { filing, words }: Sending): Promise<Turn> {
  const { id, tools, fence, signal } = work;
  const begun: Filing = { ...filing, tries: filing.tries + 1 };
  if ((await tools.outbox.file(id, fence, begun, false)) !== 'written') return 'over';
  const text = await logExcerpt(draft.entry.run, {
    tools,
    checkpoint: draft.entry.checkpoint,
    tail: draft.tail,
    signal,
  });
  if (signal.aborted) return 'on';
  const { filename, title } = words;
  const handing = tools.chat.upload({ filename, title, text });
  const file = await within(tools.timings.file - filing.age, handing);
  if (file === 'late') {
    handing.catch(() => {});
    return 'on';
  }
  return going(await tools.outbox.file(id, fence, { ...begun, file }, false));
}

async function share(work: Report, file: string, { filing, root, words }: Sending): Promise<Turn> {
  const { id, tools, fence } = work;
  const begun: Filing = { ...filing, tries: filing.tries + 1 };
  const since = tools.clock.now();
  if ((await tools.outbox.file(id, fence, begun, true)) !== 'written') return 'over';
  // Whoever stood still since then may find that another has shown it meanwhile.
  if (tools.clock.now() - since > tools.timings.fileShare / 2) return 'on';
  work.unseen.delete(file);
  await tools.chat.share(file, { channel: root.channel, thread: root.ts }, words);
  return { again: tools.timings.fileLook };
}

async function done({ id, tools, fence }: Report, filing: Filing): Promise<Turn> {
  return going(await tools.outbox.delivered(id, fence, filing.event, null));
}

/** The replies behind it go on. Who asked for the file hears that it doesn't come. */
async function giveUp(work: Report, state: State, event: RunEvent, why: string): Promise<Turn> {
  work.tools.log.error({ run: work.id, event: event.seq, why }, 'a log could not be brought into its thread');
  if (event.kind === 'log_asked') return post(work, state, { kind: 'unfiled', seq: event.seq });
  return going(await work.tools.outbox.delivered(work.id, work.fence, event.seq, null));
}

async function whenRefused(
  error: ChatError,
  work: Report,
  state: State,
  { filing, event }: { filing: NonNullable<Draft['filing']>; event: RunEvent },
): Promise<Turn> {
  const { id, tools, fence } = work;
  tools.log.warn({ run: id, kind: error.kind, err: error }, 'Slack did not take a step of a file');
  const mayBeShown = filing.shareAge !== null;
  switch (error.kind) {
    case 'ambiguous':
    case 'limited':
      if (filing.age > tools.timings.file) return giveUp(work, state, event, error.message);
      // No longer than its own limit: replies wait behind it.
      return {
        again: Math.max(tools.timings.fileLook, Math.min(error.retryAfterMs, tools.timings.file - filing.age + 1)),
      };
    case 'gone': // of a file that was never shown nothing is left: it is handed over anew
      if (mayBeShown) return done(work, filing);
      return going(await tools.outbox.file(id, fence, { ...filing, file: null }, false));
    case 'closed':
    case 'frozen':
    case 'invalid':
    case 'dead':
      // Where nobody can be asked (a scope is missing), it is not shown a second time.
      return mayBeShown ? done(work, filing) : giveUp(work, state, event, error.message);
    default:
      return error.kind satisfies never;
  }
}
