import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPrivateRedis } from '../../rehearsal/redis.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 45_000, interval: 50 };
let theatre: Theatre;
let folder: string;
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;

/** A Redis of its own, with AOF as in production, which a test may kill and start again on the same socket. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-redis-'));
  redis = await startPrivateRedis({ folder });
  process.env.REDIS_URL = redis.url;
  theatre = await openTheatre({ speed: 50, workers: { standBys: 0 } });
  delete process.env.REDIS_URL;
});

afterEach(async () => {
  await theatre?.stop();
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

const card = (): string | undefined => theatre.threads()[0]?.card;

test('a Redis that is killed and comes back with its data costs a run nothing', async () => {
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.length).toBeGreaterThan(0), PATIENCE);
  await redis.signal('SIGKILL');
  redis = await startPrivateRedis({ folder });
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  expect(await theatre.stage.host.starts()).toHaveLength(1);
  expect(new Set(theatre.threads()[0]?.replies).size).toBe(theatre.threads()[0]?.replies.length);
});

test('a Redis that goes while a server is verified: ready is told once, beside no record of its own', async () => {
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(card()).toMatch(/^Verifying/), PATIENCE);
  await redis.signal('SIGKILL');
  // Longer than a verification takes, and than a job's lock lasts.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  redis = await startPrivateRedis({ folder });
  await theatre.until(/^Ready/, /ready/);
  expect(theatre.threads()[0]?.replies.filter((reply) => reply.includes('is ready'))).toHaveLength(1);
  expect(theatre.reading()).toContain("This is the recipe's first record on this host.");
});

test('a run that lives on its host is adopted after Redis lost everything, and told on in its thread', async () => {
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(card()).toMatch(/^Ready/), PATIENCE);
  const other = new Redis(redis.url);
  await other.flushall();
  other.disconnect();
  await redis.signal('SIGKILL');
  redis = await startPrivateRedis({ folder });
  await vi.waitFor(async () => expect(await theatre.say('/vllm status')).toContain('kpro5-1'), PATIENCE);
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.at(-1)).toMatch(/Redis had lost its data/), PATIENCE);
  await vi.waitFor(async () => expect(await theatre.say('/vllm stop kpro5-1')).toContain('Stopping'), PATIENCE);
  await vi.waitFor(() => expect(card()).toMatch(/^Stopped/), PATIENCE);
  const replies = theatre.threads()[0]?.replies ?? [];
  expect(new Set(replies).size).toBe(replies.length);
  expect(theatre.threads()).toHaveLength(1);
  expect(await theatre.stage.host.starts()).toHaveLength(1);
});
