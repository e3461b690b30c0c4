/** Looks along the line of a host: whoever can start now is started, in order; the others are told where they stand and what they wait for. */

import { isDeepStrictEqual } from 'node:util';
import { isHostError } from '../src/errors.ts';
import { formersOf } from '../src/flow/formers.ts';
import { homeOf } from '../src/flow/home.ts';
import { HOMELESS, recipeGone } from '../src/flow/never.ts';
import { observedNow } from '../src/flow/now.ts';
import { type Placed, placeRun } from '../src/flow/placing.ts';
import { observe } from '../src/flow/write.ts';
import { type Entry, NOWHERE } from '../src/journal.ts';
import { type GpusSeen, place, type Stand } from '../src/place/place.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import type { Holder, Waiting } from '../src/run/holder.ts';
import { isEnd } from '../src/run/run.ts';

/** So many times in one go; then the keeper's next look will do. */
const MOST_LOOKS = 50;

/** After each start the line is looked along again: what is free has changed. */
export async function line(host: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    if (signal.aborted) return 'again';
    const stand = await tools.line.read(host);
    if (stand.line.length === 0) return 'done';
    const hasChanged = await lookAlong({ stand, tools, signal, ...(await lookAt(host, tools, signal)) });
    if (!hasChanged) return 'done';
  }
  return 'done';
}

interface Look {
  readonly stand: Stand;
  readonly seen: GpusSeen;
  /** Why the host can't be asked, or null. */
  readonly why: string | null;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

async function lookAt(host: string, tools: Tools, signal: AbortSignal): Promise<Pick<Look, 'seen' | 'why'>> {
  try {
    return { seen: await tools.hosts.get(host).gpus(signal), why: null };
  } catch (error) {
    if (!isHostError(error)) throw error;
    return { seen: 'unknown', why: error.message };
  }
}

/** True when somebody has left the line, or may have. */
async function lookAlong(look: Look): Promise<boolean> {
  for (const [index, { party }] of look.stand.line.entries()) {
    if (look.signal.aborted) return true;
    const entry = await look.tools.journal.load(party.run);
    // One that is being stopped leaves the line by its end.
    if (entry === null || entry.run.waiting === null || isEnd(entry.run.phase) || entry.run.stopBy !== null) continue;
    if (await lookFor(entry, { ...look, stand: { ...look.stand, line: look.stand.line.slice(0, index) } })) return true;
  }
  return false;
}

/** `stand.line`: those before it. */
async function lookFor(entry: Entry, look: Look): Promise<boolean> {
  const { tools, signal } = look;
  const { id, at } = entry.run.request;
  if (entry.home === null && tools.clock.now() - at > tools.timings.home) await homeOf(id, tools, signal);
  const formers = await formersOf(entry.run.waiting?.after ?? [], tools);
  const obstacle = formers.obstacle ?? obstacleTo(entry, tools);
  if (obstacle !== null) return refuse(id, tools, obstacle);
  if (look.why !== null || formers.live.length > 0) return tell(entry, look, stillWaiting(entry, look, formers.live));
  const placed = await placeRun(entry, look);
  if (placed === 'again') return true;
  // Where nvidia-smi doesn't answer it may do so later; what a host has doesn't grow.
  if (placed !== 'taken' && placed.kind === 'impossible' && look.seen !== null)
    return refuse(id, tools, `${placed.reason} Nothing was started.`);
  if (placed !== 'taken') return tell(entry, look, waitingWords(placed));
  tools.log.info({ run: id }, 'a run that waited has its turn');
  await tools.queue.add('launch', id);
  return true;
}

async function refuse(id: string, tools: Tools, reason: string): Promise<true> {
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'refused', reason })]);
  return true;
}

/** What keeps it from ever starting, or null. Whether who asked still may launch is looked at when its turn has come. */
function obstacleTo({ run: { request }, home }: Entry, { config }: Tools): string | null {
  const { recipe, host } = request;
  if (config.recipes[recipe] === undefined) return `${recipeGone(request)} Nothing was started.`;
  if (config.hosts[host] === undefined) return `The host ${host} is no longer in vigil.yaml. Nothing was started.`;
  return home === NOWHERE ? `${HOMELESS} Nothing was started.` : null;
}

type Told = Pick<Waiting, 'holders' | 'ahead' | 'count' | 'why'>;

/** Before the host can be asked, or before those that it replaces are gone, nobody tries. */
function stillWaiting({ run: { request } }: Entry, { stand, seen, why }: Look, live: readonly Holder[]): Told {
  const placing = place(request, stand, seen);
  if (placing.kind !== 'blocked') return { holders: live, ahead: [], count: null, why };
  const names = placing.ahead.map(({ name }) => name);
  const count = placing.count?.asked ?? null;
  return {
    holders: placing.holders.length > 0 ? placing.holders : live,
    ahead: live.length > 0 ? [] : names,
    count,
    why,
  };
}

function waitingWords(placed: Exclude<Placed, string>): Told {
  if (placed.kind === 'impossible') return { holders: [], ahead: [], count: null, why: placed.reason };
  const { holders, ahead, count } = placed;
  return { holders, ahead: ahead.map(({ name }) => name), count: count?.asked ?? null, why: null };
}

/** The card is edited only where it says something else. */
async function tell(entry: Entry, { tools }: Look, told: Told): Promise<false> {
  await observe(tools.journal, entry.run.request.id, ({ waiting }) => {
    if (waiting === null) return [];
    const next = { ...waiting, ...told };
    return isDeepStrictEqual(next, waiting) ? [] : [observedNow(tools.clock, { kind: 'waiting', waiting: next })];
  });
  return false;
}
