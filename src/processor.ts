/** The contract between the queues, which decide who runs a job when, and the processors in jobs/. */

import type { Logger } from 'pino';
import type { Budgets } from './budgets.ts';
import type { Chat } from './chat.ts';
import type { Config } from './config/config.ts';
import type { Archive, History, Journal, Names, Outbox, PatrolNotes, Queue, Records } from './journal.ts';
import type { Line } from './line.ts';
import type { Questions } from './questions.ts';
import type { Timings } from './timings.ts';
import type { Clock, Hosts } from './tools.ts';

export const JOB_NAMES = ['launch', 'watch', 'stop', 'report', 'ask', 'line', 'keep', 'patrol'] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** 'done' = the job is over; 'again' = it has to go on, here or in another process. */
export type Outcome = 'done' | 'again';

/** A job may be killed at any line and run again; `signal` asks it to let go soon. The keeper's `run` is empty, a patrol's and a line's is its host's name, an ask's its question's id. */
export type Processor = (run: string, signal: AbortSignal) => Promise<Outcome>;

/** What a processor is given: the edges as interfaces, so that a test can give others. */
export interface Tools {
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly budgets: Budgets;
  readonly names: Names;
  readonly notes: PatrolNotes;
  readonly history: History;
  readonly records: Records;
  readonly archive: Archive;
  readonly questions: Questions;
  readonly queue: Queue;
  readonly line: Line;
  readonly hosts: Hosts;
  readonly chat: Chat;
  readonly config: Config;
  readonly clock: Clock;
  readonly timings: Timings;
  readonly log: Logger;
}
