/**
 * BullMQ's workers. Every job may be killed at any line and run again, so all that happens here is who runs it when:
 * a job whose lock is lost is aborted (another has it, or this process again: former-runs.ts), a job that runs at shut-down is handed over.
 */

import { DelayedError, isNotConnectionError, type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { JOB_NAMES, type JobName, type Processor } from '../processor.ts';
import type { Timings } from '../timings.ts';
import { FormerRuns } from './former-runs.ts';
import type { Keys } from './keys.ts';

const CONCURRENCY: Record<JobName, number> = {
  launch: 20,
  watch: 1000,
  stop: 50,
  report: 100,
  ask: 20,
  line: 20,
  keep: 1,
  patrol: 20,
};
const HAND_OVER_MS = 100;

export interface Workers {
  /** Aborts what runs, hands it over and waits until all is let go. */
  close(): Promise<void>;
}

export function startWorkers(parts: {
  redis: Redis;
  keys: Keys;
  processors: Record<JobName, Processor>;
  timings: Timings;
  log: Logger;
  /** A job failed for the last time in a row: tell the thread. */
  onFailure: (job: JobName, run: string, error: Error) => Promise<void>;
}): Workers {
  const { redis, keys, processors, timings, log, onFailure } = parts;
  const closing = new AbortController();
  const workers = JOB_NAMES.map((name) => {
    const formerRuns = new FormerRuns();
    const process = async (job: Job, token?: string, signal?: AbortSignal): Promise<void> => {
      const id = job.id ?? '';
      const outcome = formerRuns.isHeld(id, Date.now())
        ? 'again'
        : await formerRuns.run(id, (own) => {
            const stop = AbortSignal.any([closing.signal, own, ...(signal === undefined ? [] : [signal])]);
            return processors[name](runOf(job), stop);
          });
      if (outcome === 'done') return;
      await job.moveToDelayed(Date.now() + HAND_OVER_MS, token);
      throw new DelayedError();
    };
    const worker = new Worker(name, process, {
      connection: redis,
      prefix: keys.queues,
      concurrency: CONCURRENCY[name],
      lockDuration: timings.lock,
      stalledInterval: timings.stalled,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      skipVersionCheck: true,
    });
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'lock lost');
    });
    // An outage of Redis is logged once for the connection, not once a worker and try.
    worker.on('error', (error) => {
      if (isNotConnectionError(error)) log.warn({ job: name, err: error }, 'worker error');
    });
    worker.on('failed', (job, error) => {
      log.error({ job: name, run: job === undefined ? null : runOf(job), err: error }, 'job failed');
      if (job === undefined || job.attemptsMade < (job.opts.attempts ?? 1)) return;
      onFailure(name, runOf(job), error).catch((err: unknown) => log.error({ err }, 'could not tell of a failed job'));
    });
    return worker;
  });
  return {
    async close() {
      closing.abort(new Error('shutting down'));
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

function runOf(job: Job): string {
  const data: unknown = job.data;
  if (typeof data !== 'object' || data === null || !('run' in data) || typeof data.run !== 'string') return '';
  return data.run;
}
