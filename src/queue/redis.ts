/** Connections to Redis: one that waits out an outage (jobs), one that answers people in time (commands). */

import { Redis } from 'ioredis';

/** For jobs and the journal: commands wait until Redis is back. */
export function openPatientRedis(url: string): Redis {
  return new Redis(url, { maxRetriesPerRequest: null });
}

/** For commands: a command that Redis doesn't answer within `limitMs` rejects, also while it is unreachable. */
export function openPromptRedis(url: string, limitMs: number): Redis {
  return new Redis(url, {
    maxRetriesPerRequest: null,
    commandTimeout: limitMs,
    enableOfflineQueue: false,
    connectTimeout: limitMs,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
}
