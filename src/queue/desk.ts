/** The desk on Redis: requests are written down here before anybody is told that they are accepted. */

import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Journal, Queue } from '../journal.ts';
import { type Desk, DeskClosed, type Holder, type LaunchOrder, type RunSummary } from '../requests.ts';
import type { Request } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';
import { newRun, stepAll, UNNAMED } from '../run/step.ts';
import type { Clock } from '../tools.ts';
import { holdsOf } from './holds.ts';
import { PlaceShape, readRun } from './journal.ts';
import type { Keys } from './keys.ts';
import { ask, readAnswer } from './questions.ts';
import { readRedisClock } from './redis.ts';
import type { Scripts } from './scripts.ts';

/** A command is answered within this, or refused (ms). Slack itself waits 3 s. */
export const DESK_LIMIT_MS = 1500;
/** A request that reaches Redis later than this is not written any more: its sender has been told that nothing was started. */
const WRITE_LIMIT_MS = DESK_LIMIT_MS - 300;

interface Parts {
  readonly redis: Redis;
  readonly scripts: Scripts;
  readonly keys: Keys;
  readonly journal: Journal;
  readonly queue: Queue;
  readonly config: Config;
  readonly clock: Clock;
}

export function openDesk(parts: Parts): Desk {
  const { redis, keys, journal } = parts;
  return {
    launch: (order) => inTime(() => launch(parts, order)),
    decideHome: (id, channel) => inTime(() => journal.decideHome(id, channel)),
    stop: (id, by) => inTime(() => stop(parts, id, by)),
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
    ask: (question) => inTime(() => ask(parts, question)),
    answerTo: (id) => inTime(() => readAnswer(parts, id)),
  };
}

async function stop(
  { journal, queue, clock, redis }: Parts,
  id: string,
  by: string,
): Promise<'asked' | 'before' | 'ended'> {
  for (;;) {
    const entry = await journal.load(id);
    if (entry === null || isEnd(entry.run.phase)) return 'ended';
    if (entry.run.stopBy !== null) return 'before';
    const now = clock.now();
    const { run, happened } = stepAll(entry.run, [{ kind: 'stop_asked', by, at: now, seen: now }]);
    const write = { run, from: entry, fence: null, happened, checkpoint: null, tail: null, isNews: true };
    const written = await journal.append({ ...write, deadline: await deadlineOf(redis) });
    if (written === 'late') throw new DeskClosed('Redis answered too late');
    if (written === 'stale') continue;
    void queue.add('stop', id).catch(leaveToKeeper);
    return 'asked';
  }
}

async function launch({ scripts, keys, queue, config, clock, redis }: Parts, order: LaunchOrder) {
  const request = requestOf(config, order, clock.now());
  const holds = holdsOf(request);
  const deadline = await deadlineOf(redis);
  const answer = z
    .array(z.string())
    .parse(
      await scripts.vigilRequest(
        ...[
          keys.run(request.id),
          keys.live,
          keys.dirty,
          keys.names,
          keys.counters,
          keys.holds,
          keys.events(request.id),
        ],
        ...[request.id, request.host, JSON.stringify(newRun(request)), String(request.at), String(deadline)],
        ...holds,
      ),
    );
  const [verdict, ...rest] = answer;
  if (verdict === 'late') throw new DeskClosed('Redis answered too late');
  if (verdict === 'held') return { kind: 'held', holders: await holdersOf({ redis, keys }, rest) } as const;
  const written = readRun(rest[0] ?? '').request;
  if (verdict === 'same') return { kind: 'same', request: written } as const;
  void queue.add('launch', written.id).catch(leaveToKeeper);
  return { kind: 'accepted', request: written } as const;
}

/** Until when a write may be carried out, by Redis's own clock (ms). */
async function deadlineOf(redis: Redis): Promise<number> {
  return (await readRedisClock(redis)) + WRITE_LIMIT_MS;
}

/** Same trigger, same run: the id is derived from Slack's trigger_id. The name is given in the script. */
function requestOf(config: Config, order: LaunchOrder, at: number): Request {
  const recipe = config.recipes[order.recipe];
  if (recipe === undefined || config.hosts[order.host] === undefined) {
    throw new Error(`launch order names ${order.host} and ${order.recipe}, which vigil.yaml doesn't hold`);
  }
  const hash = createHash('sha256').update(order.trigger).digest('hex').slice(0, 12);
  const asked = {
    id: `${config.instance}-${order.host}-${hash}`,
    name: UNNAMED,
    host: order.host,
    recipe: order.recipe,
    argv: recipe.argv,
    log: recipe.log,
    gpus: recipe.gpus,
    stopGrace: recipe.stopGrace,
    by: order.by,
    channel: order.channel,
    at,
  };
  if (recipe.kind === 'serve') return { ...asked, kind: 'serve', address: recipe.address };
  return { ...asked, kind: 'train', address: recipe.address, targetLog: recipe.targetLog, found: null };
}

async function holdersOf({ redis, keys }: Pick<Parts, 'redis' | 'keys'>, pairs: readonly string[]): Promise<Holder[]> {
  const whats = new Map<string, string[]>();
  for (let i = 0; i < pairs.length; i += 2) {
    const what = (pairs[i] ?? '').split('|').slice(1).join('|');
    const id = pairs[i + 1] ?? '';
    whats.set(id, [...(whats.get(id) ?? []), what]);
  }
  const holders = [...whats].map(async ([id, what]): Promise<Holder | null> => {
    const json = await redis.hget(keys.run(id), 'run');
    if (json === null) return null;
    const { request } = readRun(json);
    return { what, run: id, name: request.name, recipe: request.recipe, by: request.by, since: request.at };
  });
  return (await Promise.all(holders)).filter((holder) => holder !== null);
}

async function summary({ redis, keys }: Parts, id: string): Promise<RunSummary | null> {
  const [json, root] = await redis.hmget(keys.run(id), 'run', 'root');
  if (json === null || json === undefined) return null;
  const run: Run = readRun(json);
  return { run, root: root === null || root === undefined ? null : PlaceShape.parse(JSON.parse(root)) };
}

/** What was written down is kept: the keeper adds the job that could not be added now. */
function leaveToKeeper(): void {}

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
