/** The archive's upkeep: runs that ended before there was one are taken in, and what is older than the limits goes. */

import { z } from 'zod';
import type { Run } from '../run/run.ts';
import type { ArchiveParts } from './archive-read.ts';
import { type Archived, archivedOf, fingerprintIn, idIn, nameIn, UNREADABLE } from './archived.ts';
import { readRun } from './journal.ts';
import { readRedisClock } from './redis.ts';
import type { Scripts } from './scripts.ts';

const DAY_MS = 86_400_000;
/** What is kept of a run that ended: one entry. */
const MOST_ENTRIES = 5000;
const ENTRY_DAYS = 400;
/** Its own keys: the run as it was, and its events. */
const MOST_RUNS = 1000;
const RUN_DAYS = 90;
/** At one time. */
const MOST_TAKEN_IN = 20;
const MOST_REMOVED = 2000;

interface Parts extends ArchiveParts {
  readonly scripts: Scripts;
}

/** See Archive.catchUp. */
export async function catchUp({ redis, scripts, keys }: Parts): Promise<number> {
  const since = (await readRedisClock(redis)) - ENTRY_DAYS * DAY_MS;
  const answer = await scripts.vigilUnarchived(
    ...[keys.archive, keys.ended, keys.archiveIndex],
    ...[String(since), String(MOST_ENTRIES), String(MOST_TAKEN_IN)],
  );
  const ids = z.array(z.string()).parse(answer);
  for (const id of ids) {
    const { json, member, at, fingerprint } = savedEntry(await redis.hget(keys.run(id), 'run')) ?? UNREADABLE;
    if (member === '') await redis.hsetnx(keys.archive, id, json);
    else
      await scripts.vigilArchive(
        ...[keys.archive, keys.archiveIndex, keys.trouble(fingerprint)],
        ...[id, json, member, String(at), fingerprint],
      );
  }
  return ids.length;
}

function savedEntry(json: string | null): Archived | null {
  const run = json === null ? null : savedRun(json);
  return run === null ? null : archivedOf(run, []);
}

/** null where another version wrote it otherwise. */
function savedRun(json: string): Run | null {
  try {
    return readRun(json);
  } catch {
    return null;
  }
}

/** See Archive.prune. */
export async function prune(parts: Parts): Promise<number> {
  const now = await readRedisClock(parts.redis);
  return (await dropRuns(parts, now)) + (await forgetEntries(parts, now));
}

/** Runs' own keys, the oldest first; where the archive will not take them in any more, it isn't waited for. */
async function dropRuns({ redis, scripts, keys }: Parts, now: number): Promise<number> {
  const surplus = await redis.zrange(keys.ended, '0', String(-MOST_RUNS - 1));
  const old = await redis.zrange(keys.ended, '-inf', String(now - RUN_DAYS * DAY_MS), 'BYSCORE');
  const hopeless = new Set([
    ...(await redis.zrange(keys.ended, '0', String(-MOST_ENTRIES - 1))),
    ...(await redis.zrange(keys.ended, '-inf', String(now - ENTRY_DAYS * DAY_MS), 'BYSCORE')),
  ]);
  let removed = 0;
  for (const id of new Set([...old, ...surplus])) {
    if (removed >= MOST_REMOVED) break;
    const name = nameIn(await redis.hget(keys.run(id), 'run'));
    const answer = await scripts.vigilDropRun(
      ...[keys.run(id), keys.events(id), keys.ended, keys.live, keys.dirty, keys.names, keys.archive],
      ...[keys.archiveThreads, keys.roots, id, name, hopeless.has(id) ? '1' : '0'],
    );
    if (answer === 1) removed += 1;
  }
  return removed;
}

async function forgetEntries({ redis, keys }: Parts, now: number): Promise<number> {
  const surplus = await redis.zrange(keys.archiveIndex, '0', String(-MOST_ENTRIES - 1));
  const old = await redis.zrange(keys.archiveIndex, '-inf', String(now - ENTRY_DAYS * DAY_MS), 'BYSCORE');
  const members = [...new Set([...old, ...surplus])];
  for (const member of members) {
    const id = idIn(member);
    const gone = redis.multi().zrem(keys.archiveIndex, member);
    if (id !== null) {
      const fingerprint = fingerprintIn(await redis.hget(keys.archive, id));
      gone.hdel(keys.archive, id).hdel(keys.archiveThreads, id);
      if (fingerprint !== null) gone.zrem(keys.trouble(fingerprint), id);
    }
    await gone.exec();
  }
  return members.length;
}
