import { defineConfig } from 'vitest/config';

/**
 * Five files at a time: CI machines have two cores, and half of the time is spent waiting for servers that tests start. Files that follow each
 * other in a process share its modules, which takes a third of the time that loading them took.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-redis.ts'],
    pool: 'forks',
    maxWorkers: 5,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
