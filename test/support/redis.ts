import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

/**
 * The Redis that all test files share, as ioredis takes it (a URL or a socket's path). A test that pauses or kills Redis
 * starts its own with startPrivateRedis of rehearsal/redis.ts.
 */
export function redisUrl(): string {
  return inject('redisUrl');
}

/** A key prefix that no other test uses. */
export function freshPrefix(): string {
  return `vigil-test-${randomBytes(6).toString('hex')}`;
}
