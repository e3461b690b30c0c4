/** What the loops of a watch share. Each ends with the watch's signal; a lost connection is waited out, never an end. */

import type { Logger } from 'pino';
import { CommandFailed, HostRefused, HostUnreachable } from '../errors.ts';
import type { Terms } from '../flow/verify/terms.ts';
import { jittered, wait } from '../flow/wait.ts';
import type { RunFolder, Started } from '../host/launch.ts';
import type { History, Records } from '../journal.ts';
import type { Timings } from '../timings.ts';
import type { Clock, Host } from '../tools.ts';
import type { HostTime } from './clock.ts';
import type { Inbox } from './inbox.ts';
import type { WatchedLog } from './log.ts';
import type { Trees } from './trees.ts';
import type { Commands } from './work-question.ts';

export interface Watch {
  readonly host: Host;
  readonly folder: RunFolder;
  readonly started: Started;
  readonly inbox: Inbox;
  readonly log: WatchedLog;
  /** Of a log whose path a person typed: what it led to when it was allowed (FollowTarget.real), else null. */
  readonly realLog: string | null;
  /** Of a training whose target server has a log of its own: that log and where it is, else null. */
  readonly targetLog: { readonly path: string; readonly log: WatchedLog } | null;
  readonly logger: Logger;
  readonly hostTime: HostTime;
  readonly terms: Terms;
  readonly trees: Trees;
  /** Reads what the run's commands say; throws what the host throws. */
  readonly readCommands: () => Promise<Commands>;
  readonly history: History;
  readonly records: Records;
  readonly clock: Clock;
  readonly timings: Timings;
  /** When the host was last heard (our clock, ms), and why it isn't now. */
  readonly contact: { last: number; why: string; isOver: boolean };
  readonly signal: AbortSignal;
}

/**
 * Runs the work again after the host was out of reach. A script that failed is tried again, too: another watch may have ended its
 * follower, and then the next write tells us that we are no longer the watch. Another error is the watch's own. `onFailure` says how
 * much longer than usual the next try waits (ms).
 */
export async function throughOutages(
  watch: Watch & { readonly onFailure?: () => number },
  work: () => Promise<void>,
): Promise<void> {
  const { signal, timings, contact, logger, onFailure } = watch;
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      let longer = 0;
      if (error instanceof HostUnreachable || error instanceof HostRefused) contact.why = error.message;
      else if (error instanceof CommandFailed) longer = onFailure?.() ?? 0;
      else throw error;
      logger.warn({ err: error }, 'the host did not do what the watch needs');
      const usual = error instanceof HostRefused ? 10 * timings.reconnect : timings.reconnect;
      await wait(jittered(usual) + longer, signal);
    }
  }
}
