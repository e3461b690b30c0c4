/** A Redis for the demo and the tests: the given one, else a private one that ends with this process, whatever ends it. */
import { findProgram, findRedisServer } from '../scripts/prepare/find.mjs';
import { CannotStart } from './cannot-start.ts';
import { startInDocker } from './redis/docker.ts';
import { startLocally } from './redis/local.ts';
import type { PrivateRedis, RedisServer } from './redis/server.ts';

/** The Redis of REDIS_URL as it is, else a private one. */
export async function startRedis(env: NodeJS.ProcessEnv = process.env): Promise<RedisServer> {
  if (env.REDIS_URL) return { url: env.REDIS_URL, stop: async () => {} };
  return startPrivateRedis();
}

/**
 * A private Redis: redis-server or valkey-server on a unix socket, else Docker's redis:7 on a loopback port.
 * With a `folder` it keeps its data there by AOF, and one started later on the same folder has the same URL and data.
 * @throws CannotStart when there is no way to start one, Error when it does not answer within its limit.
 */
export async function startPrivateRedis({ folder }: { readonly folder?: string } = {}): Promise<PrivateRedis> {
  const kept = folder ?? null;
  const server = findRedisServer();
  if (server) return startLocally(server, kept);
  const docker = findProgram(['docker']);
  if (docker) return startInDocker(docker, kept);
  throw new CannotStart(
    'found no redis-server, valkey-server or docker to start a Redis with; run `node scripts/prepare.mjs demo`',
  );
}
