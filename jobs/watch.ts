/**
 * Watches a run from its launch to its end: one long job that may be handed over or taken over at any moment.
 * Whoever takes the fence is the watcher; the one before finds out at its next write, lets go of its channels and ends.
 */

import { setMaxListeners } from 'node:events';
import { folderOf } from '../src/flow/folder.ts';
import { termsOf } from '../src/flow/verify/terms.ts';
import { wait } from '../src/flow/wait.ts';
import type { Started } from '../src/host/launch.ts';
import type { Entry } from '../src/journal.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { isFound, isNamed } from '../src/run/request.ts';
import { isEnd } from '../src/run/run.ts';
import { openHostTime } from '../src/watch/clock.ts';
import { readCommands } from '../src/watch/commands.ts';
import { watchContact } from '../src/watch/contact.ts';
import { watchLog, watchTargetLog } from '../src/watch/follow-logs.ts';
import { watchHeartbeat } from '../src/watch/heartbeat.ts';
import { Fenced, openInbox } from '../src/watch/inbox.ts';
import { openWatchedLog } from '../src/watch/log.ts';
import { watchPace } from '../src/watch/pace.ts';
import { watchPort } from '../src/watch/port.ts';
import { watchPulse } from '../src/watch/pulse.ts';
import { watchNote } from '../src/watch/remember.ts';
import { watchRooms } from '../src/watch/rooms.ts';
import { watchSamples } from '../src/watch/samples.ts';
import { watchTarget } from '../src/watch/target.ts';
import { openTrees } from '../src/watch/trees.ts';
import type { Watch } from '../src/watch/watch.ts';

export async function watch(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const seen = await tools.journal.load(id);
  if (seen === null || isEnd(seen.run.phase)) return 'done';
  if (seen.run.started === null) return 'done';
  const fence = await tools.journal.takeWatch(id);
  const entry = await tools.journal.load(id);
  if (entry === null || entry.run.started === null) return 'done';
  return hold({ id, tools, entry, started: entry.run.started, fence, signal });
}

/** Of all loops of a watch, and what each of them waits for. */
const MOST_LISTENERS = 100;

interface Held {
  readonly id: string;
  readonly tools: Tools;
  readonly entry: Entry;
  readonly started: Started;
  readonly fence: number;
  readonly signal: AbortSignal;
}

async function hold({ id, tools, entry, started, fence, signal }: Held): Promise<Outcome> {
  const letGo = new AbortController();
  const { request } = entry.run;
  const recipe = isFound(entry.run) ? undefined : tools.config.recipes[request.recipe];
  const secrets = recipe?.secrets ?? [];
  const inbox = openInbox(tools.journal, entry, fence, tools.config.diagnoses);
  const history = request.found?.size ?? 0;
  const log = openWatchedLog({ kind: request.kind, source: 'main', secrets, saved: entry.checkpoint, history });
  const host = tools.hosts.get(request.host);
  const stopped = AbortSignal.any([signal, letGo.signal]);
  // Each loop listens to it; Node takes more than ten for a leak.
  setMaxListeners(MOST_LISTENERS, stopped);
  const parts: Watch = {
    ...tools,
    host,
    folder: folderOf(tools.config, request),
    started,
    inbox,
    log,
    realLog: isNamed(entry.run) ? started.log : null,
    targetLog: targetLogOf(entry, secrets),
    logger: tools.log.child({ run: id }),
    hostTime: openHostTime(tools.clock),
    terms: termsOf(tools.config, entry.run),
    trees: openTrees(),
    readCommands: () => readCommands({ request, recipe: recipe ?? null }, host, stopped),
    contact: { last: tools.clock.now(), why: 'It has not answered since the watch began.', isOver: false },
    signal: stopped,
  };
  const loops = [
    ...[watchLog(parts), watchTargetLog(parts), watchSamples(parts)],
    ...[watchContact(parts), watchPort(parts), watchTarget(parts), watchNote(parts, entry.home ?? '')],
    ...[watchPulse(parts), watchPace(parts), watchHeartbeat(parts), watchRooms(parts)],
  ];
  const broken = Promise.race(loops.map((loop) => loop.then(() => new Promise<never>(() => {}))));
  try {
    await Promise.race([broken, write(parts)]);
    return isEnd(inbox.run().phase) ? 'done' : 'again';
  } catch (error) {
    if (error instanceof Fenced) return 'done';
    throw error;
  } finally {
    letGo.abort();
    await Promise.allSettled(loops);
  }
}

function targetLogOf({ run: { request }, checkpoint }: Entry, secrets: readonly string[]): Watch['targetLog'] {
  if (request.kind !== 'train' || request.targetLog === null) return null;
  const saved = checkpoint?.target ?? null;
  return {
    path: request.targetLog,
    log: openWatchedLog({ kind: 'serve', source: 'target', secrets, saved, history: 0 }),
  };
}

/** Writes at once what people should hear, the rest at a pace; ends with the run, or when the job is to be handed over. */
async function write({ inbox, log, targetLog, timings, signal }: Watch): Promise<void> {
  const state = () => ({
    checkpoint: { ...log.checkpoint(), target: targetLog?.log.checkpoint() ?? null },
    tail: log.tail(),
  });
  let idle = 0;
  while (!signal.aborted && !isEnd(inbox.run().phase)) {
    const pace = timings.flush / 10;
    await wait(pace, signal);
    idle += pace;
    if (!inbox.isUrgent() && idle < timings.flush) continue;
    idle = 0;
    await inbox.flush(state);
  }
  await inbox.flush(state);
}
