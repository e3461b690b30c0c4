/**
 * Looks at a host's logs for trainings that people start by hand, and opens a thread for each. It may be killed at any line: what was
 * found is a run whose id follows from what was found, and what is remembered is written last, so a second look says nothing twice.
 */

import type { Patrol } from '../src/config/config.ts';
import { isHostError } from '../src/errors.ts';
import type { PatrolView } from '../src/host/log.ts';
import type { Writer } from '../src/host/process.ts';
import type { NotedLog } from '../src/journal.ts';
import { type Discovery, foundRun, startOf } from '../src/patrol/found-run.ts';
import { isTraining, readPiece } from '../src/patrol/is-training.ts';
import { mainProcess } from '../src/patrol/main-process.ts';
import { type News, notedAs, type Seen, sortFiles } from '../src/patrol/news.ts';
import { type Known, ownsLog, ownsWriter, runsOn } from '../src/patrol/own-logs.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import type { Host } from '../src/tools.ts';

/** So much of a log's end is looked at (bytes). */
const PIECE = 256 * 1024;
/** What is no training after so many bytes is history: a server's log that the patterns match. What comes behind it is looked at again. */
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
  // A run that Redis lost must be known again first: else its log would be found a second time.
  if (!(await tools.journal.isSurveyed(host.name))) return;
  const notes = await tools.notes.read(host.name);
  const known = [...(notes?.logs ?? [])].map(([path, { device, inode, size }]) => ({ path, device, inode, size }));
  const view = await host.patrol({ globs: plan.logs, known }, signal);
  const files = sortFiles(view, notes);
  const runs = files.some(({ news }) => news !== null) ? await runsOn(host.name, tools.journal) : [];
  const logs = new Map<string, NotedLog>();
  for (const seen of files) {
    const { news } = seen;
    const { history, isOurs } = news === null ? settled(seen) : await examine({ ...work, view, runs, seen, news });
    logs.set(seen.file.path, notedAs(seen, history, isOurs));
  }
  await tools.notes.write(host.name, { at: view.now, logs });
}

/** What is done with of a log: all of it once it is told, or needs no telling. */
type Examined = Pick<NotedLog, 'history' | 'isOurs'>;

function settled({ file, known }: Seen): Examined {
  return { history: known?.history ?? file.size, isOurs: known?.isOurs ?? false };
}

interface Examining extends Looking {
  readonly view: PatrolView;
  /** Live runs on this host; what is found on the way joins them. */
  readonly runs: Known[];
  readonly seen: Seen;
  readonly news: News;
}

async function examine(work: Examining): Promise<Examined> {
  const { host, signal, runs, seen, news } = work;
  const { file, known } = seen;
  const { from } = news;
  const ours = { history: file.size, isOurs: true };
  const told = { history: file.size, isOurs: false };
  if (runs.some((run) => ownsLog(run, file))) return ours;
  const writers = await host.writers(file.path, signal);
  if (writers.some(({ run }) => run !== null)) return ours;
  const main = mainProcess(writers);
  if (main === null && known?.isOurs === true) return ours;
  if (main === null && !news.isGrowing) return told;
  if (runs.some((run) => ownsWriter(run, writers))) return ours;
  const piece = await host.peek(file.path, { from, most: PIECE, countsLines: false }, signal);
  if (piece === null) return told;
  if (!isTraining(readPiece(piece.text), main !== null))
    return file.size - from > GIVEN_UP ? told : { ...told, history: from };
  await takeUp(work, { main, writers });
  return ours;
}

async function takeUp(
  { host, plan, tools, signal, view, runs, seen, news }: Examining,
  { main, writers }: { main: Writer | null; writers: readonly Writer[] },
): Promise<void> {
  const { file } = seen;
  const { from } = news;
  const peek = await host.peek(file.path, { from, most: 0, countsLines: from > 0 }, signal);
  if (peek === null) return;
  const { instance } = tools.config;
  const times = { now: view.now, seen: tools.clock.now() };
  const place = { instance, host: host.name, channel: plan.channel, facts: view.facts };
  const read = { log: file, generation: peek.generation, from, line: peek.line ?? 1 };
  const who = { kind: 'train', main, tree: writers, asked: null, server: null } as const;
  const discovery: Discovery = { ...place, ...times, ...read, ...who };
  const run = foundRun(discovery);
  if (await tools.journal.adopt(run, plan.channel, startOf(discovery)))
    tools.log.info({ run: run.request.id, host: host.name }, 'a training that somebody started by hand');
  await tools.queue.add('watch', run.request.id);
  runs.push({ run, checkpoint: null });
}
