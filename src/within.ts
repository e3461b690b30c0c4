/** A wait with an end. */

import { setTimeout as sleep } from 'node:timers/promises';

/** The promise's value, or 'late' after `ms`. The promise goes on; whoever drops it must have handled its rejection. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'late'> {
  const timer = new AbortController();
  const late = sleep(Math.max(0, ms), 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}
