/** The desk on Redis: requests are written down here before anybody is told that they are accepted. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Pid } from '../host/process.ts';
import type { Archive, Journal, Queue } from '../journal.ts';
import type { Line } from '../line.ts';
import { type Desk, DeskClosed, type RunSummary } from '../requests.ts';
import { isEnd, type Run } from '../run/run.ts';
import { stepAll } from '../run/step.ts';
import type { Clock } from '../tools.ts';
import { readRun } from './journal.ts';
import type { Keys } from './keys.ts';
import { isHeld, launch, leaveToKeeper } from './launch.ts';
import { deadlineOf } from './limits.ts';
import { PlaceShape } from './place-shape.ts';
import { ask, readAnswer } from './questions.ts';
import { restart } from './restart.ts';
import type { Scripts } from './scripts.ts';

interface Parts {
  readonly redis: Redis;
  readonly scripts: Scripts;
  readonly keys: Keys;
  readonly journal: Journal;
  readonly archive: Archive;
  readonly queue: Queue;
  readonly line: Line;
  readonly config: Config;
  readonly clock: Clock;
}

export function openDesk(parts: Parts): Desk {
  const { redis, keys, journal, archive } = parts;
  return {
    launch: (order, view) => inTime(() => launch(parts, order, view)),
    isHeld: (order) => inTime(() => isHeld(parts, order)),
    restart: (order) => inTime(() => restart(parts, order)),
    decideHome: (id, channel) => inTime(() => journal.decideHome(id, channel)),
    stop: (id, by) => inTime(() => stop(parts, { id, by, confirmed: null })),
    stopFound: (id, by, confirmed) => inTime(() => stop(parts, { id, by, confirmed })),
    runs: () =>
      inTime(async () => {
        const ids = [...(await journal.live()), ...(await journal.ended())];
        const summaries = await Promise.all([...new Set(ids)].map((id) => summary(parts, id)));
        return summaries.filter((one) => one !== null).sort((a, b) => b.run.request.at - a.run.request.at);
      }),
    run: (id) => inTime(() => summary(parts, id)),
    tail: (id) =>
      inTime(async () => {
        const json = await redis.hget(keys.run(id), 'tail');
        return json === null ? [] : z.array(z.string()).parse(JSON.parse(json));
      }),
    history: (question) => inTime(() => archive.list(question)),
    past: (run) => inTime(() => archive.find(run)),
    before: (fingerprint, but, hosts) => inTime(() => archive.seen(fingerprint, but, hosts)),
    note: (fingerprint, note, run) => inTime(() => archive.note(fingerprint, note, run)),
    ask: (question) => inTime(() => ask(parts, question)),
    answerTo: (id) => inTime(() => readAnswer(parts, id)),
  };
}

async function stop(
  { journal, queue, clock, redis }: Parts,
  { id, by, confirmed }: { id: string; by: string; confirmed: readonly Pid[] | null },
): Promise<'asked' | 'before' | 'ended'> {
  for (;;) {
    const entry = await journal.load(id);
    if (entry === null || isEnd(entry.run.phase)) return 'ended';
    if (entry.run.stopBy !== null) return 'before';
    const now = clock.now();
    const { run, happened } = stepAll(entry.run, [{ kind: 'stop_asked', by, confirmed, at: now, seen: now }]);
    const write = { run, from: entry, fence: null, happened, checkpoint: null, tail: null, isNews: true };
    const written = await journal.append({ ...write, deadline: await deadlineOf(redis) });
    if (written === 'late') throw new DeskClosed('Redis answered too late');
    if (written === 'stale') continue;
    void queue.add('stop', id).catch(leaveToKeeper);
    return 'asked';
  }
}

async function summary({ redis, keys }: Parts, id: string): Promise<RunSummary | null> {
  const [json, root] = await redis.hmget(keys.run(id), 'run', 'root');
  if (json === null || json === undefined) return null;
  const run: Run = readRun(json);
  return { run, root: root === null || root === undefined ? null : PlaceShape.parse(JSON.parse(root)) };
}

/** Redis's silence becomes DeskClosed; the limit itself is the connection's (openPromptRedis). */
async function inTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSilence(error)) throw new DeskClosed('Redis does not answer', { cause: error });
    throw error;
  }
}

function isSilence(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Command timed out|Connection is closed|isn't writeable|ECONNREFUSED|ENOENT|ECONNRESET|max retries|LOADING/i.test(
      `${error.name} ${error.message}`,
    )
  );
}
