/** How long the desk may take. */

import type { Redis } from 'ioredis';
import { readRedisClock } from './redis.ts';

/** A command is answered within this, or refused (ms). Slack itself waits 3 s. */
export const DESK_LIMIT_MS = 1500;
/** A request that reaches Redis later than this is not written any more: its sender has been told that nothing was started. */
const WRITE_LIMIT_MS = DESK_LIMIT_MS - 300;

/** Until when a write may be carried out, by Redis's own clock (ms). */
export async function deadlineOf(redis: Redis): Promise<number> {
  return (await readRedisClock(redis)) + WRITE_LIMIT_MS;
}
