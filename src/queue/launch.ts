/** A launch order, written down: at once with all that it needs, or at its place in the line. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Queue } from '../journal.ts';
import type { Line } from '../line.ts';
import { type GpusSeen, type Party, type Placing, place, type Stand } from '../place/place.ts';
import { replaceable } from '../place/replace.ts';
import { launchRequest } from '../place/request.ts';
import { DeskClosed, type Held, type LaunchAnswer, type LaunchOrder } from '../requests.ts';
import type { Waiting } from '../run/holder.ts';
import type { Request } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { newRun } from '../run/step.ts';
import type { Clock } from '../tools.ts';
import { readRun } from './journal.ts';
import { holdWords, type Keys } from './keys.ts';
import { deadlineOf } from './limits.ts';
import { readStand } from './line.ts';
import type { Scripts } from './scripts.ts';

interface Parts {
  readonly redis: Redis;
  readonly scripts: Scripts;
  readonly keys: Keys;
  readonly queue: Queue;
  readonly line: Line;
  readonly config: Config;
  readonly clock: Clock;
}

/** So many times somebody else may come first between a look and a write. */
const TRIES = 20;

/** See Desk.launch. */
export async function launch(parts: Parts, order: LaunchOrder, view: GpusSeen): Promise<LaunchAnswer> {
  const asked = launchRequest(parts.config, order, parts.clock.now());
  const request: Request = order.mode.kind === 'now' ? asked : { ...asked, mayWait: true };
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await knownRun(parts, request.id);
    if (known !== null) return answerOf('same', known);
    const stand = await readStand(parts, request.host);
    const placing = place(request, stand, view);
    if (placing.kind === 'impossible') return placing;
    const answer =
      placing.kind === 'free'
        ? await startNow(parts, request, { placing, stand, view })
        : await whenHeld(parts, request, { placing, stand, view, mode: order.mode });
    if (answer !== null) return answer;
  }
  throw new Error(`what is held on ${request.host} changes faster than it can be read`);
}

/** See Desk.isHeld. */
export async function isHeld(parts: Parts, order: LaunchOrder): Promise<boolean> {
  const request = launchRequest(parts.config, order, parts.clock.now());
  if ((await knownRun(parts, request.id)) !== null) return false;
  return place(request, await readStand(parts, request.host), 'unknown').kind === 'blocked';
}

/**
 * Writes down a run that stands in the line of its host until its turn comes: before all who wait, and not before the runs `after` have ended
 * (gone, where they were stopped). A name of `@NAME@` becomes the host's next one; 'same' = a run of this id is known.
 */
export async function enqueue(
  parts: Parts,
  request: Request,
  { after }: { readonly after: readonly string[] },
): Promise<Written> {
  const placing = place(request, { ...(await readStand(parts, request.host)), line: [] }, 'unknown');
  const holders = placing.kind === 'blocked' ? placing.holders : [];
  const run = { ...newRun(request), waiting: { ...WAITING, holders, after } };
  const written = await write(parts, run, { mode: 'front', holds: [], past: [] });
  if (written === null) throw new Error('who stands in the line needs nothing');
  return written;
}

/** What a launch came to that was written down. */
type Written = Extract<LaunchAnswer, { kind: 'accepted' | 'same' }>;

interface Looked {
  readonly stand: Stand;
  readonly view: GpusSeen;
}

/** null = somebody else came first. */
function startNow(
  parts: Parts,
  request: Request,
  { placing, stand, view }: Looked & { readonly placing: Placing & { kind: 'free' } },
): Promise<LaunchAnswer | null> {
  const { devices, gpuHolds, holds } = placing;
  const freeAt = Array.isArray(view) ? parts.clock.now() : null;
  const placement = devices === null ? null : { devices, holds: gpuHolds, freeAt };
  const past = stand.line.map(({ party }) => party.run);
  return write(parts, { ...newRun(request), placement }, { mode: 'now', holds, past });
}

async function whenHeld(
  parts: Parts,
  request: Request,
  looked: Looked & { readonly placing: Placing & { kind: 'blocked' }; readonly mode: LaunchOrder['mode'] },
): Promise<LaunchAnswer | null> {
  const { placing, stand, view, mode } = looked;
  const { holders, count } = placing;
  const waiting = { ...WAITING, holders, count: count?.asked ?? null };
  if (mode.kind === 'queue') {
    const ahead = placing.ahead.map(({ name }) => name);
    return write(parts, { ...newRun(request), waiting: { ...waiting, ahead } }, { mode: 'back', holds: [], past: [] });
  }
  const runs = replaceable(request, stand, view);
  const held: Held = { holders, ahead: placing.ahead.map(waiterOf), count, replaceable: runs };
  if (mode.kind === 'now') return { kind: 'held', ...held };
  // What a person did not see named is not ended for them.
  const isNamed = runs.every(({ run }) => mode.runs === null || mode.runs.includes(run));
  if (runs.length === 0 || !isNamed) return { kind: 'held', ...held };
  const after = runs.map(({ run }) => run);
  return write(parts, { ...newRun(request), waiting: { ...waiting, after } }, { mode: 'front', holds: [], past: [] });
}

const WAITING: Waiting = { ahead: [], count: null, holders: [], why: null, after: [] };

function waiterOf(party: Party): Held['ahead'][number] {
  return { kind: 'run', what: [], ...party };
}

async function write(
  { scripts, keys, queue, line, redis }: Parts,
  run: Run,
  how: { mode: 'now' | 'back' | 'front'; holds: readonly string[]; past: readonly string[] },
): Promise<Written | null> {
  const { id, host, at } = run.request;
  const deadline = await deadlineOf(redis);
  const answer = z
    .array(z.string())
    .parse(
      await scripts.vigilRequest(
        ...[
          keys.run(id),
          keys.live,
          keys.dirty,
          keys.names,
          keys.counters,
          keys.holds,
          keys.events(id),
          keys.line(host),
        ],
        ...[id, host, JSON.stringify(run), String(at), String(deadline), how.mode],
        ...[JSON.stringify(holdWords(host, how.holds)), JSON.stringify(how.past)],
      ),
    );
  const [verdict, json = ''] = answer;
  if (verdict === 'late') throw new DeskClosed('Redis answered too late');
  if (verdict === 'held') return null;
  if (verdict === 'same') return answerOf('same', readRun(json));
  void (how.mode === 'now' ? queue.add('launch', id) : line.wake(host)).catch(leaveToKeeper);
  return answerOf('accepted', readRun(json));
}

function answerOf(kind: Written['kind'], { request, placement, waiting }: Run): Written {
  return { kind, request, placement, waiting };
}

async function knownRun({ redis, keys }: Parts, id: string): Promise<Run | null> {
  const json = await redis.hget(keys.run(id), 'run');
  return json === null ? null : readRun(json);
}

/** What was written down is kept: the keeper adds the job that could not be added now. */
export function leaveToKeeper(): void {}
