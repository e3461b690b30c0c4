import { troubleOf } from '../history/trouble.ts';
import type { Tools } from '../processor.ts';
import { tailLine } from '../report/terminal.ts';
import type { Before, View } from '../report/view.ts';
import { hostsSeenByAll } from '../rights.ts';
import type { Run } from '../run/run.ts';
import { within } from '../within.ts';

type Sources = Pick<Tools, 'chat' | 'config' | 'archive' | 'names' | 'timings'>;

/** What a message needs beside the run: names (the bare user id where Slack does not answer), the line for a terminal, its trouble's past. */
export async function viewOf(run: Run, sources: Sources): Promise<View> {
  const { config } = sources;
  const nameOf = (user: string): Promise<string> => nameIn(sources, user);
  const before = await beforeOf(run, sources);
  return {
    requesterName: run.request.by === '' ? '' : await nameOf(run.request.by),
    stopperName: run.stopBy === null ? null : await nameOf(run.stopBy),
    ...(run.verification?.by == null ? {} : { verifierName: await nameOf(run.verification.by) }),
    hostLine: run.started === null ? null : tailLine(config.hosts, run.request.host, run.started.log),
    ...(before === null ? {} : { before }),
  };
}

/** Slack is asked once an hour for all messages; the id stands for a name that doesn't come soon, and it is asked again a minute later. */
export async function nameIn(
  { chat, names, timings }: Pick<Sources, 'chat' | 'names' | 'timings'>,
  user: string,
): Promise<string> {
  const known = await names.read(user);
  if (known !== null) return known;
  const person = await within(
    timings.link,
    chat.person(user).catch(() => null),
  );
  const name = person === 'late' || person === null ? null : person.name;
  await names.write(user, name);
  return name ?? user;
}

/** null where all is well (then nobody is asked), and where nothing is known of such a trouble. A channel reads it: of other hosts only those are named that all may see. */
async function beforeOf(run: Run, sources: Sources): Promise<Before | null> {
  const trouble = troubleOf(run);
  if (trouble === null) return null;
  const { id, host } = run.request;
  const { earlier, note } = await sources.archive.seen(trouble, id, [host, ...hostsSeenByAll(sources.config)]);
  if (earlier === null && note === null) return null;
  return {
    earlier: earlier === null ? null : { ...earlier, link: await linkTo(earlier.thread, sources) },
    note: note === null ? null : { ...note, byName: await nameIn(sources, note.by) },
  };
}

/** null where Slack gives none, or not soon: the message is more urgent. */
async function linkTo(
  thread: Parameters<Sources['chat']['permalink']>[0] | null,
  { chat, timings }: Sources,
): Promise<string | null> {
  if (thread === null) return null;
  const link = await within(
    timings.link,
    chat.permalink(thread).catch(() => null),
  );
  return link === 'late' ? null : link;
}
