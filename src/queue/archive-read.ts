/** The archive read: its index whole (a small line a run), entries as they are wanted, each with its thread. */

import type { Redis } from 'ioredis';
import type { HistoryEntry } from '../history/entry.ts';
import { type IndexRow, readEntry, readMember, readThread } from './archived.ts';
import type { Keys } from './keys.ts';

export interface ArchiveParts {
  readonly redis: Redis;
  readonly keys: Keys;
}

/** What all kept runs are found by, newest first. */
export async function readIndex({ redis, keys }: ArchiveParts): Promise<readonly IndexRow[]> {
  const members = await redis.zrange(keys.archiveIndex, '0', '-1', 'REV');
  return members.flatMap((member) => readMember(member) ?? []);
}

/** The entries of those runs, in that order; without those that are gone or can't be read. A run's own keys know its thread while they are there. */
export async function readEntries(
  { redis, keys }: ArchiveParts,
  ids: readonly string[],
): Promise<readonly HistoryEntry[]> {
  if (ids.length === 0) return [];
  const [entries, threads, roots] = await Promise.all([
    redis.hmget(keys.archive, ...ids),
    redis.hmget(keys.archiveThreads, ...ids),
    Promise.all(ids.map((id) => redis.hget(keys.run(id), 'root'))),
  ]);
  return ids.flatMap((_, index) => {
    const entry = readEntry(entries[index] ?? null);
    if (entry === null) return [];
    return [{ ...entry, thread: readThread(roots[index] ?? null) ?? readThread(threads[index] ?? null) }];
  });
}
