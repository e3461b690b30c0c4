export type RedisServer = {
  /** What ioredis takes: redis://… or the path of a unix socket. */
  readonly url: string;
  /** Ends it and removes what it left. Does nothing to a Redis given by REDIS_URL, or when called again. */
  stop(): Promise<void>;
};

/** A Redis that is ours, so that a test may pause or kill it. */
export type PrivateRedis = RedisServer & {
  /** SIGKILL and SIGTERM are waited for until it has exited. */
  signal(name: RedisSignal): Promise<void>;
};

export type RedisSignal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM';

/** Nothing of a rehearsal is worth keeping, but BullMQ needs a Redis that evicts nothing. */
export function settings({ keepsData }: { readonly keepsData: boolean }): string[] {
  return ['--save', '', '--appendonly', keepsData ? 'yes' : 'no', '--maxmemory-policy', 'noeviction'];
}
