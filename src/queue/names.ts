/** Names of people on Redis, for an hour each: all processes together ask Slack once. */

import type { Redis } from 'ioredis';
import type { Names } from '../journal.ts';
import type { Keys } from './keys.ts';

const KEPT_S = 3600;

export function openNames({ redis, keys }: { redis: Redis; keys: Keys }): Names {
  return {
    read: (user) => redis.get(keys.person(user)),
    async write(user, name) {
      await redis.set(keys.person(user), name, 'EX', KEPT_S);
    },
  };
}
