import { defineConfig } from 'vitest/config';

/** Long tests of whole demos, stand-ins, outages and rare stops: `npm run test:all` runs them too. */
const LONG = [
  'test/e2e/kills-b.test.ts',
  'test/e2e/outages.test.ts',
  'test/e2e/patrol.test.ts',
  'test/e2e/pulse.test.ts',
  'test/e2e/redis.test.ts',
  'test/e2e/restart.test.ts',
  'test/e2e/secrets.test.ts',
  'test/e2e/training-stop.test.ts',
  'test/explain/files.test.ts',
  'test/jobs/stop-found.test.ts',
  'test/jobs/watch-log.test.ts',
  'test/log/hostile.test.ts',
  'test/rehearsal/demo-end.test.ts',
  'test/rehearsal/demo-training.test.ts',
  'test/rehearsal/demo.test.ts',
  'test/rehearsal/host/*.test.ts',
  'test/rehearsal/slack/page.test.ts',
  'test/shell/arguments.test.ts',
  'test/ssh/follow-rounds.test.ts',
];

/**
 * Five files at a time: CI machines have two cores, and half of the time is spent waiting for servers that tests start. Files that follow each
 * other in a process share its modules, which takes a third of the time that loading them took.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: process.env.TEST_ALL === undefined ? LONG : [],
    globalSetup: ['test/support/global-redis.ts'],
    setupFiles: ['test/support/after-file.ts'],
    pool: 'forks',
    maxWorkers: 5,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
