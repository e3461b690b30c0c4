/** A training's target server, looked at while the training runs: a dead one leaves the trainer waiting, or training on nothing. */

import type { ServerAddress } from '../address.ts';
import { isHostError } from '../errors.ts';
import { wait } from '../flow/wait.ts';
import type { Pid } from '../host/process.ts';
import { NotListening } from '../http.ts';
import { isEnd } from '../run/run.ts';
import { throughOutages, type Watch } from './watch.ts';

const HEALTH_MS = 5_000;
/** Of a target that is down so many looks pass between two searches for a new one: each reads all open files of the host. */
const LOOKS_APART = 6;

export async function watchTarget(watch: Watch): Promise<void> {
  const { inbox, clock, hostTime, timings, signal } = watch;
  const { request } = inbox.run();
  if (request.kind !== 'train' || inbox.run().target === null) return;
  return throughOutages(watch, async () => {
    for (let look = 0; !signal.aborted && !isEnd(inbox.run().phase); look++) {
      const writers = await writersOf(watch, look % LOOKS_APART === 0);
      const answers = request.address === null ? null : await isAnswering(watch, request.address);
      inbox.put({ kind: 'target', ...writers, answers, at: hostTime.read().now, seen: clock.now() });
      await wait(timings.target, signal);
    }
  });
}

/** Who wrote its log when it was last looked at, and who of them runs. A new look only when all are gone: it costs the host more. */
async function writersOf(
  { host, inbox, targetLog, signal }: Watch,
  isSearched: boolean,
): Promise<{
  pids: readonly Pid[];
  running: readonly Pid[];
  isDeserted: boolean;
}> {
  const { pids: known, down } = inbox.run().target ?? { pids: [], down: null };
  const { generation, offset } = targetLog?.log.position() ?? { generation: null, offset: 0 };
  if (targetLog === null || generation === null) return { pids: [], running: [], isDeserted: false };
  const running = known.length === 0 ? [] : await host.running(known, signal);
  if (running.length > 0) return { pids: known, running, isDeserted: false };
  if (down !== null && !isSearched) return { pids: known, running: [], isDeserted: true };
  const found = (await host.writers(targetLog.path, signal)).filter(({ by }) => by === 'open');
  const writers = found.map(({ pid, start }) => ({ pid, start })).sort((a, b) => a.start - b.start);
  const isDeserted = writers.length === 0 && offset > 0;
  return { pids: writers.length > 0 ? writers : known, running: writers, isDeserted };
}

/** null where that can't be told: a busy server may take its time. */
async function isAnswering({ host, signal }: Watch, address: ServerAddress): Promise<boolean | null> {
  try {
    const request = { address, method: 'GET', path: '/health', headers: {}, body: null, timeoutMs: HEALTH_MS } as const;
    return (await host.http(request, signal)).status === 200;
  } catch (error) {
    if (error instanceof NotListening) return false;
    if (!signal.aborted && isHostError(error)) return null;
    throw error;
  }
}
