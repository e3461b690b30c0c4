/** A Redis that others may use too: it must answer before anything is built on it, and nothing of ours stays in it. */
import { Redis } from 'ioredis';
import { CannotStart } from '../cannot-start.ts';

/** How long a Redis may take to answer (ms). */
const ANSWER_MS = 3_000;

/** Rejects with CannotStart where no Redis answers within 3 s. */
export async function mustAnswer(url: string): Promise<void> {
  const redis = new Redis(url, {
    connectTimeout: ANSWER_MS,
    disconnectTimeout: 100,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let why = `no answer within ${ANSWER_MS / 1000} s`;
  redis.on('error', (error) => {
    why = error.message;
  });
  const limit = setTimeout(() => redis.disconnect(), ANSWER_MS);
  try {
    await redis.ping();
  } catch (error) {
    // A closed connection has told its reason by the event above.
    if (error instanceof Error && error.name === 'ReplyError') why = error.message;
    throw new CannotStart(
      `REDIS_URL: no Redis answers at ${withoutPassword(url)} (${why}). Start it, or unset REDIS_URL: the demo then starts a private one.`,
    );
  } finally {
    clearTimeout(limit);
    redis.disconnect();
  }
}

/** Deletes the keys of one instance. */
export async function forget(url: string, instance: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  try {
    for await (const keys of redis.scanStream({ match: `vigil:${instance}:*`, count: 500 })) {
      if (Array.isArray(keys) && keys.length > 0) await redis.unlink(...keys.map(String));
    }
  } catch {
    // a Redis that is gone holds nothing of ours
  } finally {
    redis.disconnect();
  }
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
