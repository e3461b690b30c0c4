import { defineConfig } from 'vitest/config';

/** Four files at a time: CI machines have two cores, and half of the time is spent waiting for servers that tests start. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-redis.ts'],
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
