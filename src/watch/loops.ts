/** The four things a watch does at once. Each ends with the watch's signal; a lost connection is waited out, never an end. */

import type { Logger } from 'pino';
import { CommandFailed, HostRefused, HostUnreachable } from '../errors.ts';
import { jittered, wait } from '../flow/wait.ts';
import type { Observation } from '../run/observe.ts';
import { isEnd } from '../run/run.ts';
import type { Timings } from '../timings.ts';
import type { Clock, Exit, Host, RunFolder, Sample, Started } from '../tools.ts';
import type { HostTime } from './clock.ts';
import type { Inbox } from './inbox.ts';
import type { WatchedLog } from './log.ts';
import { probe } from './probe.ts';

export interface Watch {
  readonly host: Host;
  readonly folder: RunFolder;
  readonly started: Started;
  readonly inbox: Inbox;
  readonly log: WatchedLog;
  readonly logger: Logger;
  readonly hostTime: HostTime;
  readonly apiKey: string | null;
  readonly clock: Clock;
  readonly timings: Timings;
  /** When the host was last heard (our clock, ms), and why it isn't now. */
  readonly contact: { last: number; why: string; isOver: boolean };
  readonly signal: AbortSignal;
}

/** A process that is gone without an exit record is looked at this many times before the run is called lost. */
const LOOKS_BEFORE_LOST = 4;
/** After the end of the process its log is read to the size that was seen; no byte for this long, and it is given up (ms). */
const LAST_BYTES_MS = 10_000;
/** The size was taken a moment before the exit record was seen: what was written in between has this long to come (ms). */
const QUIET_MS = 400;
/** A follower that another watch ended fails once or twice; a log that is gone goes on failing. */
const FAILURES_BEFORE_TOLD = 4;

export function watchLog(watch: Watch): Promise<void> {
  const { host, folder, started, inbox, log, clock, hostTime, signal } = watch;
  let failures = 0;
  const tell = (): void => {
    failures += 1;
    if (failures !== FAILURES_BEFORE_TOLD) return;
    const text = `The log ${started.log} can't be read on ${host.name}: it was deleted, moved, or may not be read any more. The process is watched on without it; a failure would be told without its cause.`;
    inbox.put({ kind: 'notice', text, at: hostTime.read().now, seen: clock.now() });
  };
  return throughOutages({ ...watch, onFailure: tell }, async () => {
    hostTime.setZone((await host.facts(signal)).zoneMinutes);
    const target = { ...folder, log: started.log, from: log.position() };
    for await (const chunk of host.follow(target, signal)) {
      failures = 0;
      inbox.put(...log.take(chunk, { clock: hostTime.read(), seen: clock.now() }));
      while (inbox.isFull() && !signal.aborted) await wait(20, signal);
    }
  });
}

export function watchSamples(watch: Watch): Promise<void> {
  const { host, folder, started, inbox, clock, hostTime, contact, signal } = watch;
  let gone = 0;
  return throughOutages(watch, async () => {
    for await (const sample of host.samples({ ...folder, started }, signal)) {
      hostTime.set(sample.at);
      const seen = clock.now();
      if (inbox.run().pulse === 'out_of_contact') {
        inbox.put({ kind: 'back_in_contact', silentMs: seen - contact.last, at: sample.at, seen });
      }
      contact.last = seen;
      inbox.put({ kind: 'sample', sample, at: sample.at, seen });
      if (sample.exit !== null) {
        contact.isOver = true;
        return await finish(watch, sample, sample.exit);
      }
      gone = sample.alive ? 0 : gone + 1;
      if (gone >= LOOKS_BEFORE_LOST)
        inbox.put({ kind: 'vanished', why: whyGone(started, sample), at: sample.at, seen });
    }
  });
}

/** Tells when the host has not been heard for too long; the way back is told by the next sample. */
export async function watchContact({ inbox, clock, hostTime, timings, contact, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    await wait(timings.contact / 10, signal);
    const now = clock.now();
    if (contact.isOver) return;
    if (signal.aborted || now - contact.last < timings.contact) continue;
    if (inbox.run().pulse === 'moving') {
      inbox.put({ kind: 'out_of_contact', why: contact.why, at: hostTime.read().now, seen: now });
    }
  }
}

/** Asks the server until it is ready. */
export function watchPort(watch: Watch): Promise<void> {
  const { host, folder, inbox, clock, hostTime, apiKey, timings, signal } = watch;
  let told = '';
  return throughOutages(watch, async () => {
    while (!signal.aborted && inbox.run().phase !== 'ready' && !isEnd(inbox.run().phase)) {
      const found = await probe({ host, run: inbox.run(), apiKey, folder }, signal);
      const times = { at: hostTime.read().now, seen: clock.now() };
      if (found.kind === 'answering') inbox.put({ kind: 'answering', ...times });
      if (found.kind === 'ready') inbox.put({ kind: 'verified', readiness: found.readiness, ...times });
      if (found.kind === 'foreign' && found.text !== told) {
        told = found.text;
        inbox.put({ kind: 'notice', text: found.text, ...times });
      }
      await wait(timings.probe, signal);
    }
  });
}

/** The process has ended: its log is read to the end first, since the cause stands there. */
async function finish(watch: Watch, sample: Sample, exit: Exit): Promise<void> {
  const { inbox, log, clock, hostTime, signal } = watch;
  const size = sample.logSize ?? 0;
  let read = { offset: -1, at: clock.now() };
  while (!signal.aborted) {
    const { offset } = log.position();
    if (offset !== read.offset) read = { offset, at: clock.now() };
    if (clock.now() - read.at >= (offset >= size ? QUIET_MS : LAST_BYTES_MS)) break;
    await wait(20, signal);
  }
  if (signal.aborted) return;
  const times = { clock: hostTime.read(), seen: clock.now() };
  const last: Observation[] = log.end(times);
  if (read.offset < size) {
    const text = `The log could be read to byte ${read.offset} of ${size} only: the cause may stand in the rest.`;
    last.push({ kind: 'notice', text, at: exit.at, seen: times.seen });
  }
  inbox.put(...last, { kind: 'exited', exit, tail: log.tail() ?? [], at: exit.at, seen: times.seen });
}

function whyGone(started: Started, sample: Sample): string {
  if (sample.bootId !== started.bootId) return 'The host has restarted since the launch (another boot id).';
  if (sample.init !== started.init)
    return 'The container has restarted since the launch (PID 1 has another start time).';
  return 'The process and its launcher are gone and left no exit record: something killed both.';
}

/**
 * Runs the work again after the host was out of reach. A script that failed is tried again, too: another watch may have ended its
 * follower, and then the next write tells us that we are no longer the watch. Another error is the watch's own.
 */
async function throughOutages(
  watch: Watch & { readonly onFailure?: () => void },
  work: () => Promise<void>,
): Promise<void> {
  const { signal, timings, contact, logger, onFailure } = watch;
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof HostUnreachable || error instanceof HostRefused) contact.why = error.message;
      else if (error instanceof CommandFailed) onFailure?.();
      else throw error;
      logger.warn({ err: error }, 'the host did not do what the watch needs');
      await wait(jittered(error instanceof HostRefused ? 10 * timings.reconnect : timings.reconnect), signal);
    }
  }
}
