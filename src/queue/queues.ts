/** BullMQ's queues: one a job name, so that long jobs never keep short ones waiting. */

import { Queue as BullQueue } from 'bullmq';
import type { Redis } from 'ioredis';
import { JOB_NAMES, type JobName } from '../processor.ts';
import type { Keys } from './keys.ts';

export interface Queues {
  /**
   * Adds a job under its own name and id: while it waits or runs, adding it again changes nothing.
   * `generation` keeps a report, or a look at a line, apart from its predecessor that is just ending.
   */
  add(job: Exclude<JobName, 'keep' | 'patrol'>, run: string, generation?: string): Promise<void>;
  /** False when Redis lost the schedules. */
  isScheduled(): Promise<boolean>;
  /** The keeper's schedule, one for all workers. */
  schedule(everyMs: number): Promise<void>;
  /** The patrols' schedules, one a host and for all workers: host to ms between two looks; hosts that are not named are looked at no more. */
  schedulePatrols(everyMs: ReadonlyMap<string, number>): Promise<void>;
  /** Lets the keeper look now: a worker that starts may be the first after an outage. */
  keepNow(): Promise<void>;
  close(): Promise<void>;
}

export function openQueues({ redis, keys }: { redis: Redis; keys: Keys }): Queues {
  const open = (name: JobName): BullQueue => {
    const queue = new BullQueue(name, {
      connection: redis,
      prefix: keys.queues,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      skipVersionCheck: true,
    });
    // The connection is ours, and so is the listener that logs its errors; without one here BullMQ prints them a second time.
    queue.on('error', () => {});
    return queue;
  };
  const queues = new Map(JOB_NAMES.map((name) => [name, open(name)]));
  const queueOf = (name: JobName): BullQueue => {
    const queue = queues.get(name);
    if (queue === undefined) throw new Error(`no queue ${name}`);
    return queue;
  };
  return {
    async add(job, run, generation) {
      const jobId = generation === undefined ? `${job}-${run}` : `${job}-${run}-${generation}`;
      await queueOf(job).add(
        job,
        { run },
        { jobId, attempts: 3, backoff: { type: 'fixed', delay: 1000, jitter: 0.5 } },
      );
    },
    async isScheduled() {
      return (await queueOf('keep').getJobScheduler('keep')) !== undefined;
    },
    async schedule(everyMs) {
      await queueOf('keep').upsertJobScheduler('keep', { every: everyMs }, { name: 'keep', data: {} });
    },
    async schedulePatrols(everyMs) {
      const queue = queueOf('patrol');
      for (const { key } of await queue.getJobSchedulers()) if (!everyMs.has(key)) await queue.removeJobScheduler(key);
      for (const [host, every] of everyMs)
        await queue.upsertJobScheduler(host, { every }, { name: 'patrol', data: { run: host } });
    },
    async keepNow() {
      await queueOf('keep').add('keep', {}, { jobId: 'keep-now' });
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
