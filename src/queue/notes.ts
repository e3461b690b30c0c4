/** What patrols remember of a host's logs, on Redis: one JSON a host, which is small (a patrol sees at most 200 logs). */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { PatrolNotes } from '../journal.ts';
import type { Keys } from './keys.ts';

const Noted = z.object({
  device: z.string(),
  inode: z.string(),
  size: z.number(),
  history: z.number(),
  head: z.object({ sum: z.string(), summed: z.number() }),
  isOurs: z.boolean(),
});
const Saved = z.object({ at: z.number(), logs: z.array(z.tuple([z.string(), Noted])) });

export function openNotes({ redis, keys }: { redis: Redis; keys: Keys }): PatrolNotes {
  return {
    async read(host) {
      const json = await redis.get(keys.patrol(host));
      if (json === null) return null;
      const { at, logs } = Saved.parse(JSON.parse(json));
      return { at, logs: new Map(logs) };
    },
    async write(host, { at, logs }) {
      await redis.set(keys.patrol(host), JSON.stringify({ at, logs: [...logs] }));
    },
  };
}
