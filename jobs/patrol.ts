/**
 * Looks at a host's logs for trainings that people start by hand, and opens a thread for each. It may be killed at any line: what was
 * found is a run whose id follows from what was found, and what is remembered is written last, so a second look says nothing twice.
 */

import type { Patrol } from '../src/config/config.ts';
import { isHostError } from '../src/errors.ts';
import type { NotedLog, Notes } from '../src/journal.ts';
import { foundRun, startOf } from '../src/patrol/found-run.ts';
import { isTraining, readPiece } from '../src/patrol/is-training.ts';
import { mainProcess } from '../src/patrol/main-process.ts';
import { isSame, type News, newsOf, noteOf } from '../src/patrol/news.ts';
import { ownsLog } from '../src/patrol/own-logs.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import type { Run } from '../src/run/run.ts';
import type { Host, PatrolView } from '../src/tools.ts';

/** So much of a log's end is looked at (bytes). */
const PIECE = 256 * 1024;
/** What is no training after so many bytes is none (a server's log that the patterns match). */
const GIVEN_UP = 1024 * 1024;

export async function patrol(name: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const plan = tools.config.hosts[name]?.patrol;
  if (plan == null) return 'done';
  try {
    await look({ host: tools.hosts.get(name), plan, tools, signal });
  } catch (error) {
    if (signal.aborted) return 'done';
    if (!isHostError(error)) throw error;
    tools.log.warn({ host: name, err: error }, 'a patrol could not look at its host');
  }
  return 'done';
}

interface Looking {
  readonly host: Host;
  readonly plan: Patrol;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

async function look(work: Looking): Promise<void> {
  const { host, plan, tools, signal } = work;
  const notes = await tools.notes.read(host.name);
  const known = [...(notes?.logs ?? [])].map(([path, { device, inode, size }]) => ({ path, device, inode, size }));
  const view = await host.patrol({ globs: plan.logs, known }, signal);
  const runs = await runsOn(host.name, tools);
  const news = new Map(newsOf(view, notes).map((one) => [one.file.path, one]));
  const logs = new Map<string, NotedLog>();
  for (const file of view.files) {
    const before = notes?.logs.get(file.path);
    const same = before !== undefined && isSame(file, before) ? before : undefined;
    const one = news.get(file.path);
    const history = one === undefined ? (same?.history ?? file.size) : await examine({ ...work, view, runs, one });
    logs.set(file.path, noteOf(file, same, history));
  }
  await tools.notes.write(host.name, { at: view.now, logs } satisfies Notes);
}

/** Bytes of the log that are done with: all of it once it is told, or needs no telling. */
async function examine(
  work: Looking & { readonly view: PatrolView; readonly runs: readonly Run[]; readonly one: News },
): Promise<number> {
  const { host, plan, tools, signal, view, runs, one } = work;
  const { file, from } = one;
  if (runs.some((run) => ownsLog(run, one))) return file.size;
  const writers = await host.writers(file.path, signal);
  if (writers.some(({ run }) => run !== null)) return file.size;
  const main = mainProcess(writers);
  if (main === null && !one.isGrowing) return file.size;
  const peek = await host.peek(file.path, { from, most: PIECE }, signal);
  if (peek === null) return file.size;
  if (!isTraining(readPiece(peek.text), main !== null)) return file.size - from > GIVEN_UP ? file.size : from;
  const { instance } = tools.config;
  const seen = tools.clock.now();
  const found = {
    instance,
    host: host.name,
    channel: plan.channel,
    file,
    from,
    peek,
    facts: view.facts,
    now: view.now,
  };
  const discovery = { ...found, seen, main };
  const run = foundRun(discovery);
  if (await tools.journal.adopt(run, plan.channel, startOf(discovery))) {
    tools.log.info({ run: run.request.id, host: host.name }, 'a training that somebody started by hand');
  }
  await tools.queue.add('watch', run.request.id);
  return file.size;
}

async function runsOn(host: string, { journal }: Tools): Promise<readonly Run[]> {
  const ids = [...(await journal.live()), ...(await journal.ended())];
  const entries = await Promise.all(ids.map((id) => journal.load(id)));
  return entries.flatMap((entry) => (entry === null || entry.run.request.host !== host ? [] : [entry.run]));
}
