import type { TestProject } from 'vitest/node';
import { startRedis } from '../../rehearsal/redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string;
  }
}

/** One Redis for all test files; each test keeps to a prefix of its own (support/redis.ts). */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis();
  project.provide('redisUrl', redis.url);
  return () => redis.stop();
}
