/** ENTRY: a worker process. Any number of them, on any machines, share the queues in Redis. */

import { pathToFileURL } from 'node:url';
import { processorsOf } from '../jobs/index.ts';
import type { Config } from './config/config.ts';
import { secretsOf } from './config/secrets.ts';
import { type Entry, runEntry } from './entry.ts';
import { tellFailure } from './flow/failure.ts';
import { logOutages, openPatientRedis } from './queue/redis.ts';
import { openStore } from './queue/store.ts';
import { startWorkers } from './queue/work.ts';
import { openChat } from './slack/chat.ts';
import { openGate } from './slack/gate.ts';
import { openHosts } from './ssh/hosts.ts';
import { PRODUCTION, type Timings } from './timings.ts';

/** Starts the workers of one process; what it returns hands their jobs over and lets go of everything. */
export async function startWorker(entry: Entry, timings: Timings = PRODUCTION): Promise<() => Promise<void>> {
  const { config, environment, slack, log, clock } = entry;
  const store = openStore(openPatientRedis(environment.redisUrl), config.instance, { minute: timings.minute });
  logOutages(store.redis, log, 'Jobs wait for it.');
  const hosts = openHosts({ instance: config.instance, hosts: config.hosts, clock });
  const gate = openGate({ secrets: secretsOf(config, environment) });
  const chat = openChat({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: timings.post, gate, log });
  const tools = { ...store, config, clock, timings, log, hosts, chat };
  const workers = startWorkers({
    ...{ redis: store.redis, keys: store.keys, processors: processorsOf(tools), timings, log },
    onFailure: (job, run, error) => tellFailure({ job, run, error, tools }),
  });
  const keep = async (): Promise<void> => {
    await store.queues.schedule(timings.keep);
    await store.queues.schedulePatrols(patrolsOf(config));
    await store.queues.keepNow();
  };
  const wait = (error: unknown): void => log.warn({ err: error }, 'the keeper waits');
  // At the first connection and after each new one: a Redis that came back empty knows no schedule any more.
  store.redis.on('ready', () => void keep().catch(wait));
  // Nor does one that was emptied while it ran.
  const again = async (): Promise<void> => ((await store.queues.isScheduled()) ? undefined : keep());
  const timer = setInterval(() => void again().catch(wait), timings.keep);
  return async () => {
    clearInterval(timer);
    await workers.close();
    await hosts.close();
    await store.close();
  };
}

/** How often each host is looked at, ms. */
function patrolsOf({ hosts }: Config): ReadonlyMap<string, number> {
  const patrols = Object.values(hosts).flatMap(({ name, patrol }) => (patrol === null ? [] : [{ name, ...patrol }]));
  return new Map(patrols.map(({ name, every }) => [name, every * 1000]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runEntry([(entry) => startWorker(entry)]);
