/** The logs of a run, read as they grow. */

import { HostRefused } from '../errors.ts';
import { wait } from '../flow/wait.ts';
import type { LogChunk } from '../host/log.ts';
import type { WatchedLog } from './log.ts';
import { throughOutages, type Watch } from './watch.ts';

/** A follower that another watch ended fails once or twice; a log that can't be opened goes on failing, one that is gone goes on missing. */
const FAILURES_BEFORE_TOLD = 4;
/** A log that can't be opened is tried less and less often, down to once in so many pauses. */
const MOST_PAUSES = 9;

export function watchLog(watch: Watch): Promise<void> {
  const { host, started } = watch;
  const text = `The log ${started.log} can't be read on ${host.name}: it was deleted, moved, or may not be read any more. The process is watched on without it; a failure would be told without its cause.`;
  const onFailure = (failures: number) => (failures >= FAILURES_BEFORE_TOLD ? text : null);
  return followOn(watch, { role: 'main', path: started.log, real: watch.realLog, log: watch.log, onFailure });
}

/** The target server's log is made by the training's own script; one that is still missing when the training has started is told. */
export async function watchTargetLog(watch: Watch): Promise<void> {
  const { host, inbox, targetLog } = watch;
  if (targetLog === null) return;
  const { path, log } = targetLog;
  const text = `The target server's log ${path} is not there on ${host.name}, though the training has started: the server is watched by its port at most. Correct target.log of the recipe to the file that the script writes.`;
  const onFailure = () => (log.position().generation === null && inbox.run().training !== null ? text : null);
  return followOn(watch, { role: 'target', path, real: null, log, onFailure });
}

interface Followed {
  readonly role: 'main' | 'target';
  readonly path: string;
  readonly real: string | null;
  readonly log: WatchedLog;
  /** What is told when the log could not be opened, or was not there, so many times in a row; null = nothing yet. */
  readonly onFailure: (failures: number) => string | null;
}

function followOn(watch: Watch, followed: Followed): Promise<void> {
  const { inbox, hostTime, clock, timings } = watch;
  let failures = 0;
  const tell = (text: string) => inbox.put({ kind: 'notice', text, at: hostTime.read().now, seen: clock.now() });
  const fail = (): number => {
    failures += 1;
    const text = followed.onFailure(failures);
    if (text !== null) tell(text);
    return Math.min(failures - 1, MOST_PAUSES) * timings.reconnect;
  };
  const onChunk = (chunk: LogChunk) => {
    if (chunk.kind === 'missing') fail();
    else failures = 0;
  };
  return throughOutages({ ...watch, onFailure: fail }, async () => {
    try {
      await follow(watch, followed, onChunk);
    } catch (error) {
      if (error instanceof HostRefused && followed.real !== null) tell(error.message);
      throw error;
    }
  });
}

async function follow(
  watch: Watch,
  { role, path, real, log }: Followed,
  onChunk: (chunk: LogChunk) => void,
): Promise<void> {
  const { host, folder, inbox, clock, hostTime, signal } = watch;
  hostTime.setZone((await host.facts(signal)).zoneMinutes);
  const target = { ...folder, role, log: path, real, from: log.position() };
  for await (const chunk of host.follow(target, signal)) {
    onChunk(chunk);
    inbox.put(...log.take(chunk, { clock: hostTime.read(), seen: clock.now() }));
    while (inbox.isFull() && !signal.aborted) await wait(20, signal);
  }
}
