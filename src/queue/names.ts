/** Names of people on Redis: all processes together ask Slack once an hour for each, and once a minute where it doesn't say. */

import type { Redis } from 'ioredis';
import type { Names } from '../journal.ts';
import type { Keys } from './keys.ts';

const KEPT_S = 3600;
const UNKNOWN_S = 60;

export function openNames({ redis, keys }: { redis: Redis; keys: Keys }): Names {
  return {
    read: (user) => redis.get(keys.person(user)),
    async write(user, name) {
      await redis.set(keys.person(user), name ?? user, 'EX', name === null ? UNKNOWN_S : KEPT_S);
    },
  };
}
