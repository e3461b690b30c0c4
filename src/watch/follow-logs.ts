/** The logs of a run, read as they grow. */

import { wait } from '../flow/wait.ts';
import type { WatchedLog } from './log.ts';
import { throughOutages, type Watch } from './watch.ts';

/** A follower that another watch ended fails once or twice; a log that is gone goes on failing. */
const FAILURES_BEFORE_TOLD = 4;

export function watchLog(watch: Watch): Promise<void> {
  const { host, started, inbox, log, clock, hostTime } = watch;
  let failures = 0;
  const tell = (): void => {
    failures += 1;
    if (failures !== FAILURES_BEFORE_TOLD) return;
    const text = `The log ${started.log} can't be read on ${host.name}: it was deleted, moved, or may not be read any more. The process is watched on without it; a failure would be told without its cause.`;
    inbox.put({ kind: 'notice', text, at: hostTime.read().now, seen: clock.now() });
  };
  return throughOutages({ ...watch, onFailure: tell }, () =>
    follow(watch, { role: 'main', path: started.log, log, onChunk: () => (failures = 0) }),
  );
}

/** The target server's log is made by the training's own script: until then there is nothing to be told. */
export async function watchTargetLog(watch: Watch): Promise<void> {
  const { targetLog } = watch;
  if (targetLog === null) return;
  const { path, log } = targetLog;
  return throughOutages({ ...watch, onFailure: () => {} }, () =>
    follow(watch, { role: 'target', path, log, onChunk: () => {} }),
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
