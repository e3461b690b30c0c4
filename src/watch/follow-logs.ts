/** The logs of a run, read as they grow. */

import { wait } from '../flow/wait.ts';
import type { WatchedLog } from './log.ts';
import { throughOutages, type Watch } from './watch.ts';

/** A follower that another watch ended fails once or twice; a log that is gone goes on failing. */
const FAILURES_BEFORE_TOLD = 4;
/** A log that isn't there yet is looked for less and less often, down to once in so many pauses. */
const MOST_PAUSES = 9;

export function watchLog(watch: Watch): Promise<void> {
  const { host, started, inbox, log, clock, hostTime } = watch;
  let failures = 0;
  const tell = (): number => {
    failures += 1;
    if (failures !== FAILURES_BEFORE_TOLD) return 0;
    const text = `The log ${started.log} can't be read on ${host.name}: it was deleted, moved, or may not be read any more. The process is watched on without it; a failure would be told without its cause.`;
    inbox.put({ kind: 'notice', text, at: hostTime.read().now, seen: clock.now() });
    return 0;
  };
  return throughOutages({ ...watch, onFailure: tell }, () =>
    follow(watch, { role: 'main', path: started.log, log, onChunk: () => (failures = 0) }),
  );
}

/** The target server's log is made by the training's own script; one that is still missing when the training has started is told. */
export async function watchTargetLog(watch: Watch): Promise<void> {
  const { host, inbox, clock, hostTime, targetLog, timings } = watch;
  if (targetLog === null) return;
  const { path, log } = targetLog;
  let failures = 0;
  const missing = (): number => {
    failures += 1;
    if (log.position().generation === null && inbox.run().training !== null) {
      const text = `The target server's log ${path} is not there on ${host.name}, though the training has started: the server is watched by its port at most. Correct target.log of the recipe to the file that the script writes.`;
      inbox.put({ kind: 'notice', text, at: hostTime.read().now, seen: clock.now() });
    }
    return Math.min(failures, MOST_PAUSES) * timings.reconnect;
  };
  return throughOutages({ ...watch, onFailure: missing }, () =>
    follow(watch, { role: 'target', path, log, onChunk: () => (failures = 0) }),
  );
}

interface Followed {
  readonly role: 'main' | 'target';
  readonly path: string;
  readonly log: WatchedLog;
  readonly onChunk: () => void;
}

async function follow(watch: Watch, { role, path, log, onChunk }: Followed): Promise<void> {
  const { host, folder, inbox, clock, hostTime, signal } = watch;
  hostTime.setZone((await host.facts(signal)).zoneMinutes);
  const target = { ...folder, role, log: path, from: log.position() };
  for await (const chunk of host.follow(target, signal)) {
    onChunk();
    inbox.put(...log.take(chunk, { clock: hostTime.read(), seen: clock.now() }));
    while (inbox.isFull() && !signal.aborted) await wait(20, signal);
  }
}
