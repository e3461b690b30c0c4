import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long tests of whole demos, stand-ins, outages and rare stops: `npm run test:all` runs them too. */
const LONG = [
  'test/e2e/kills-b.test.ts',
  'test/e2e/kills-ready.test.ts',
  'test/e2e/outages.test.ts',
  'test/e2e/patrol.test.ts',
  'test/e2e/pulse.test.ts',
  'test/e2e/redis.test.ts',
  'test/e2e/restart.test.ts',
  'test/e2e/secrets.test.ts',
  'test/e2e/training-stop.test.ts',
  'test/e2e/verify-kinds.test.ts',
  'test/explain/files.test.ts',
  'test/log/hostile.test.ts',
  'test/rehearsal/demo-end.test.ts',
  'test/rehearsal/demo-training.test.ts',
  'test/rehearsal/demo.test.ts',
  'test/rehearsal/host/*.test.ts',
  'test/rehearsal/slack/page-blocks.test.ts',
  'test/rehearsal/slack/page-modal.test.ts',
  'test/rehearsal/slack/page.test.ts',
  'test/shell/arguments.test.ts',
  'test/slack/away.test.ts',
  'test/ssh/follow-rounds.test.ts',
  'test/tell/forty.test.ts',
  'test/tell/hammering.test.ts',
  'test/tell/killed-anywhere.test.ts',
  'test/tell/hundred.test.ts',
  'test/tell/hammering.test.ts',
  'test/tell/killed-anywhere.test.ts',
];

/** Whole stages take longest, as small as their files may be: begun last, one of them would run alone; begun all at once, each would be slow. */
const STAGES = /\/test\/e2e\//;
const BETWEEN_STAGES = 8;

class StagesApart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const others = sorted.filter(({ moduleId }) => !STAGES.test(moduleId));
    const stages = sorted.filter(({ moduleId }) => STAGES.test(moduleId));
    return [...stages.flatMap((stage) => [stage, ...others.splice(0, BETWEEN_STAGES)]), ...others];
  }
}

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
    sequence: { sequencer: StagesApart },
    // Of tests that may run at once, which wait for looks once a second and do little else.
    maxConcurrency: 20,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});
