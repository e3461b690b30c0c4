/** Opens journal, outbox and queues on one Redis connection. */

import type { Redis } from 'ioredis';
import type { Budgets } from '../budgets.ts';
import type { Archive, History, Journal, Names, Outbox, PatrolNotes, Queue, Records } from '../journal.ts';
import type { Line } from '../line.ts';
import type { Questions } from '../questions.ts';
import { openArchive } from './archive.ts';
import { openBudgets } from './budgets.ts';
import { openHistory } from './history.ts';
import { openJournal } from './journal.ts';
import { type Keys, keysOf } from './keys.ts';
import { openLine } from './line.ts';
import { openNames } from './names.ts';
import { openNotes } from './notes.ts';
import { openOutbox } from './outbox.ts';
import { openQuestions } from './questions.ts';
import { openQueues, type Queues } from './queues.ts';
import { openRecords } from './records.ts';
import { defineScripts, type Scripts } from './scripts.ts';

export interface Store {
  readonly redis: Redis;
  readonly keys: Keys;
  readonly scripts: Scripts;
  readonly queues: Queues;
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly budgets: Budgets;
  readonly names: Names;
  readonly queue: Queue;
  readonly line: Line;
  readonly notes: PatrolNotes;
  readonly history: History;
  readonly records: Records;
  readonly archive: Archive;
  readonly questions: Questions;
  close(): Promise<void>;
}

/** What tests change of time: `minute` = the one over which Slack's budgets are counted (ms), `now` = in place of Redis's own clock. */
interface StoreTime {
  readonly minute?: number;
  readonly now?: () => number;
}

export function openStore(redis: Redis, instance: string, { minute = 60_000, now }: StoreTime = {}): Store {
  const keys = keysOf(instance);
  const scripts = defineScripts(redis);
  const queues = openQueues({ redis, keys });
  const report = (run: string, generation: string): Promise<void> => queues.add('report', run, generation);
  /** The run is marked dirty already: what can't be added now, the keeper adds. */
  const wake = (run: string, generation: string): void => void report(run, generation).catch(() => {});
  const line = openLine({
    ...{ redis, scripts, keys, wake },
    look: async (host) => queues.add('line', host, String(await redis.hincrby(keys.wakes, host, 1))),
  });
  /** The keeper looks at every line that somebody stands in. */
  const wakeLine = (host: string): void => void line.wake(host).catch(() => {});
  const parts = { redis, scripts, keys, wake, wakeLine, minute, now: now ?? null };
  const queue: Queue = {
    async add(job, run) {
      if (job === 'report') return report(run, (await redis.hget(keys.run(run), 'gen')) ?? '0');
      return queues.add(job, run);
    },
  };
  return {
    redis,
    keys,
    scripts,
    queues,
    queue,
    line,
    journal: openJournal(parts),
    outbox: openOutbox(parts),
    budgets: openBudgets(parts),
    names: openNames(parts),
    notes: openNotes(parts),
    history: openHistory(parts),
    records: openRecords(parts),
    archive: openArchive(parts),
    questions: openQuestions(parts),
    async close() {
      await queues.close();
      redis.disconnect();
    },
  };
}
