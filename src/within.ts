/** A wait with an end. */

import { clearTimeout, setTimeout } from 'node:timers';

/** The promise's value, or 'late' after `ms`. The promise goes on; whoever drops it must have handled its rejection. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), 'late');
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
