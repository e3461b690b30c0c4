import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { JOB_NAMES, type JobName, type Outcome, type Processor } from '../../src/processor.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { startWorkers } from '../../src/queue/work.ts';
import { QUICK } from '../support/quick.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** One worker whose watch jobs are run by `watch`. */
function workerWith(watch: Processor): Store {
  const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), freshPrefix());
  const done: Processor = async () => 'done';
  const processors = Object.fromEntries(JOB_NAMES.map((name) => [name, done])) as Record<JobName, Processor>;
  const workers = startWorkers({
    redis: store.redis,
    keys: store.keys,
    timings: QUICK,
    log: pino({ level: 'silent' }),
    processors: { ...processors, watch },
    onFailure: async () => {},
  });
  closing.push(async () => {
    await workers.close();
    await store.close();
  });
  return store;
}

test('a job whose lock was lost is run anew by the same process once its former run has let go, and keeps its lock then', async () => {
  let running = 0;
  let most = 0;
  let begun: number[] = [];
  const watch: Processor = (_, signal) =>
    new Promise<Outcome>((resolve) => {
      // The first lets go later than its job is given out again.
      const takes = begun.length === 0 ? 2 * QUICK.lock : 50;
      begun = [...begun, Date.now()];
      running += 1;
      most = Math.max(most, running);
      const letGo = (): void => {
        running -= 1;
        resolve('again');
      };
      signal.addEventListener('abort', () => setTimeout(letGo, takes), { once: true });
    });
  const store = workerWith(watch);
  const lock = `${store.keys.queues}:watch:watch-one:lock`;
  await store.queues.add('watch', 'one');
  await expect.poll(() => store.redis.exists(lock), PATIENCE).toBe(1);
  await store.redis.set(lock, 'lost', 'PX', 1);
  await expect.poll(() => begun.length, PATIENCE).toBeGreaterThan(1);
  await expect.poll(() => Date.now() - (begun.at(-1) ?? 0), PATIENCE).toBeGreaterThan(4 * QUICK.lock);
  expect([running, most]).toEqual([1, 1]);
}, 60_000);
