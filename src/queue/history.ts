/** How fast recipes have been on their hosts, on Redis: a hash a host and recipe, one field a run. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { History } from '../journal.ts';
import { MOST_PACE, type PaceRecord } from '../pulse/pace.ts';
import { PHASES } from '../run/run.ts';
import type { Keys } from './keys.ts';

const Ms = z.number().nonnegative();
const SavedRecord = z.object({
  run: z.string(),
  at: z.number(),
  phases: z.array(z.object({ phase: z.enum(PHASES), ms: Ms, silentMs: Ms })),
});

export function openHistory({ redis, keys }: { redis: Redis; keys: Keys }): History {
  return {
    async read(host, recipe) {
      return newestFirst(await redis.hvals(keys.pace(host, recipe))).slice(0, MOST_PACE);
    },
    async note(host, recipe, record) {
      const key = keys.pace(host, recipe);
      await redis.hset(key, record.run, JSON.stringify(record));
      const known = await redis.hgetall(key);
      const kept = new Set(
        newestFirst(Object.values(known))
          .slice(0, MOST_PACE)
          .map(({ run }) => run),
      );
      const old = Object.keys(known).filter((run) => !kept.has(run));
      if (old.length > 0) await redis.hdel(key, ...old);
    },
  };
}

/** Without those that another version wrote: what they teach is learnt anew. */
function newestFirst(saved: readonly string[]): readonly PaceRecord[] {
  return saved.flatMap((json) => parse(json) ?? []).toSorted((a, b) => b.at - a.at || (a.run < b.run ? -1 : 1));
}

function parse(json: string): PaceRecord | null {
  try {
    return SavedRecord.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
