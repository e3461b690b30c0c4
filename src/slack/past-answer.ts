/** Answers about a run that ended so long ago that only the history has it. */

import type { Message, Place } from '../chat.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { threadLink } from '../report/before.ts';
import { renderPast } from '../report/past-run.ts';
import type { Call } from './call.ts';
import { KINDS } from './kinds.ts';
import { linkTo } from './run-view.ts';
import { inChannel, nameOf } from './say.ts';

/** All that the history has of it, with what the team noted of its trouble. */
export async function pastAnswer(call: Call, past: HistoryEntry): Promise<Message> {
  const { thread, fingerprint, run } = past;
  const [way, note] = await Promise.all([
    thread === null ? null : wayTo(call, thread),
    fingerprint === null ? null : call.desk.before(fingerprint, run, []).then(({ note: noted }) => noted),
  ]);
  return renderPast(past, way, note === null ? null : { ...note, byName: await nameOf(call, note.by) });
}

/** The way to a thread, as mrkdwn. */
export async function wayTo(call: Call, thread: Place): Promise<string> {
  const link = await linkTo(call, thread);
  return (link === null ? null : threadLink(link, 'thread')) ?? `thread ${inChannel(thread.channel)}`;
}

/** Why nothing can be done with it; `what`: a sentence on what was wanted. What somebody started by hand, or a recipe that is gone, can't be started again. */
export function onlyHistory(
  { name, kind, host, recipe, end, endedAt }: HistoryEntry,
  what: string,
  { recipes }: Config,
): UsageError {
  const { slash, start } = KINDS[kind];
  const when = new Date(endedAt).toISOString().slice(0, 10);
  const isThere = Object.hasOwn(recipes, recipe) && recipes[recipe]?.kind === kind;
  const again = isThere ? `; \`${slash} ${start} ${host} ${recipe}\` starts the same recipe` : '';
  return new UsageError(
    `${name} ended long ago (${end}, ${when}), and only the history has it. ${what} \`${slash} explain ${name}\` tells what is known${again}.`,
  );
}
