/** The desk on Redis: requests are written down here before anybody is told that they are accepted. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Pid } from '../host/process.ts';
import type { Archive, Journal, Queue } from '../journal.ts';
import type { Line } from '../line.ts';
import { type Desk, DeskClosed, type RunSummary } from '../requests.ts';
import type { Observation } from '../run/observe.ts';
import { isEnd, type Run } from '../run/run.ts';
import { stepAll } from '../run/step.ts';
import type { Clock } from '../tools.ts';
import { readRun } from './journal.ts';
import { keepReadings } from './kept-reading.ts';
import type { Keys } from './keys.ts';
import { isHeld, launch, leaveToKeeper } from './launch.ts';
import { deadlineOf } from './limits.ts';
import { PlaceShape } from './place-shape.ts';
import { ask, readAnswer } from './questions.ts';
import { restart } from './restart.ts';
import type { Scripts } from './scripts.ts';
import { shareRead } from './share-read.ts';

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
  const reading = keepReadings(readRun);
  return {
    launch: (order, view) => inTime(() => launch(parts, order, view)),
    isHeld: (order) => inTime(() => isHeld(parts, order)),
    restart: (order) => inTime(() => restart(parts, order)),
    decideHome: (id, channel) => inTime(() => journal.decideHome(id, channel)),
    stop: (id, by) => inTime(() => stop(parts, { id, by, confirmed: null })),
    stopFound: (id, by, confirmed) => inTime(() => stop(parts, { id, by, confirmed })),
    shareLog: (id, by, trigger) => inTime(() => shareLog(parts, { id, by, trigger })),
    runAt: (root) =>
      inTime(async () => {
        const id = await redis.hget(keys.roots, `${root.channel} ${root.ts}`);
        return id === null ? null : summary(parts, id);
      }),
    runs: shareRead(() =>
      inTime(async () => {
        const ids = [...(await journal.live()), ...(await journal.ended())];
        const all = await summaries(parts, [...new Set(ids)], reading);
        return all.toSorted((a, b) => b.run.request.at - a.run.request.at);
      }),
    ),
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
  parts: Parts,
  { id, by, confirmed }: { id: string; by: string; confirmed: readonly Pid[] | null },
): Promise<'asked' | 'before' | 'ended'> {
  const answer = await happen<'ended' | 'before'>(parts, id, (run, now) => {
    if (isEnd(run.phase)) return 'ended';
    return run.stopBy === null ? { kind: 'stop_asked', by, confirmed, ...now } : 'before';
  });
  if (answer === 'written') void parts.queue.add('stop', id).catch(leaveToKeeper);
  return answer === 'written' ? 'asked' : (answer ?? 'ended');
}

async function shareLog(
  parts: Parts,
  { id, by, trigger }: { id: string; by: string; trigger: string },
): Promise<'asked' | 'before' | 'nothing'> {
  if ((await parts.redis.hexists(parts.keys.run(id), 'root')) === 0) return 'nothing';
  const answer = await happen<'nothing' | 'before'>(parts, id, (run, now) => {
    if (run.started === null) return 'nothing';
    return run.logAsked?.includes(trigger) ? 'before' : { kind: 'log_asked', by, trigger, ...now };
  });
  return answer === 'written' ? 'asked' : (answer ?? 'nothing');
}

/** Lets it happen to a run unless there is an answer without; where another writer came first, decides again. null = the run is not known. */
async function happen<Answer extends string>(
  { journal, clock, redis }: Parts,
  id: string,
  decide: (run: Run, now: { at: number; seen: number }) => Observation | Answer,
): Promise<'written' | Answer | null> {
  for (;;) {
    const entry = await journal.load(id);
    if (entry === null) return null;
    const now = clock.now();
    const decided = decide(entry.run, { at: now, seen: now });
    if (typeof decided === 'string') return decided;
    const { run, happened } = stepAll(entry.run, [decided]);
    const write = { run, from: entry, fence: null, happened, checkpoint: null, tail: null, isNews: true };
    const written = await journal.append({ ...write, deadline: await deadlineOf(redis) });
    if (written === 'late') throw new DeskClosed('Redis answered too late');
    if (written === 'written') return written;
  }
}

async function summary(parts: Parts, id: string): Promise<RunSummary | null> {
  const [found = null] = await summaries(parts, [id]);
  return found;
}

/** All of them in one way to Redis and back; those that are gone are left out. */
async function summaries(
  { redis, keys }: Parts,
  ids: readonly string[],
  reading: (id: string, json: string) => Run = (_, json) => readRun(json),
): Promise<readonly RunSummary[]> {
  const asked = redis.pipeline();
  for (const id of ids) asked.hmget(keys.run(id), 'run', 'root');
  const answers = (await asked.exec()) ?? [];
  return answers.flatMap(([error, fields], index) => {
    if (error !== null) throw error;
    const [json, root] = Fields.parse(fields);
    if (json === null) return [];
    const run = reading(ids[index] ?? '', json);
    return [{ run, root: root === null ? null : PlaceShape.parse(JSON.parse(root)) }];
  });
}

const Fields = z.tuple([z.string().nullable(), z.string().nullable()]);

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
