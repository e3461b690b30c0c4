/** Connections to Redis: one that waits out an outage (jobs), one that answers people in time (commands). */

import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** For jobs and the journal: commands wait until Redis is back. */
export function openPatientRedis(url: string): Redis {
  return new Redis(url, { maxRetriesPerRequest: null });
}

/** For commands: a command that Redis doesn't answer within `limitMs` rejects, also while it is unreachable. */
export function openPromptRedis(url: string, limitMs: number): Redis {
  return new Redis(url, {
    maxRetriesPerRequest: null,
    commandTimeout: limitMs,
    enableOfflineQueue: false,
    connectTimeout: limitMs,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
}

/** Redis can't be reached: a sentence that says where it was looked for and what to do. */
export class RedisAway extends Error {
  override readonly name = 'RedisAway';
}

/** For a program that asks and ends: one try, and no waiting for what doesn't answer. Throws RedisAway. */
export async function connectOnce(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 });
  let why = '';
  redis.on('error', (error: NodeJS.ErrnoException) => {
    why = error.code ?? error.message;
  });
  try {
    await redis.connect();
    return redis;
  } catch (error) {
    redis.disconnect();
    const reason = why === '' && error instanceof Error ? error.message : why;
    const message = `Redis does not answer at ${placeOf(redis)} (${reason}). Start it (docker compose up -d) or correct REDIS_URL.`;
    throw new RedisAway(message, { cause: error });
  }
}

function placeOf({ options: { path, host, port } }: Redis): string {
  return path ?? `${host}:${port}`;
}

/** Resolves when the connection can take commands, or after `ms` where Redis doesn't answer: until then a prompt one rejects each at once. */
export async function untilReady(redis: Redis, ms: number): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      redis.off('ready', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    redis.on('ready', done);
  });
}

/** Redis's own clock, ms since the epoch: the one that all processes share. */
export async function readRedisClock(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

const REMIND_MS = 60_000;

/** Logs an outage once, then once a minute, and its end; `meanwhile` says what does not work until then. */
export function logOutages(redis: Redis, log: Logger, meanwhile: string): void {
  let toldAt: number | null = null;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    if (toldAt !== null && Date.now() - toldAt < REMIND_MS) return;
    toldAt = Date.now();
    log.warn(
      `Redis does not answer at ${placeOf(redis)} (${error.code ?? error.message}). ${meanwhile} Start it (docker compose up -d) or correct REDIS_URL.`,
    );
  });
  redis.on('ready', () => {
    if (toldAt !== null) log.info('Redis answers again.');
    toldAt = null;
  });
}
