/** The samples of a run's process: is it alive, and how did it end? */

import { restartSince } from '../flow/restart-since.ts';
import { wait } from '../flow/wait.ts';
import type { Started } from '../host/launch.ts';
import type { Writer } from '../host/process.ts';
import type { Sample } from '../host/sample.ts';
import { addEvent, type Reading } from '../log/reading.ts';
import { holds } from '../pids.ts';
import type { Motion } from '../pulse/evidence.ts';
import { wantsLook } from '../pulse/wants.ts';
import type { Observation } from '../run/observe.ts';
import { isFound, isUnseen, type Request } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { warnedOf } from '../run/warned.ts';
import { showsEnd, verdictOnSilence } from './quiet.ts';
import { throughOutages, type Watch } from './watch.ts';

/** A process that is gone without an exit record is looked at this many times before the run is called lost. */
const LOOKS_BEFORE_LOST = 4;
/** Of what somebody started by hand there never is an exit record to wait for. */
const FOUND_LOOKS = 2;
/** So many samples lie between two looks for a found training's other processes: each reads all open files of the host. */
const LOOKS_APART = 12;
/** After the end of the process its log is read to the size that was seen; no byte for this long, and it is given up (ms). */
const LAST_BYTES_MS = 10_000;
/** The size was taken a moment before the exit record was seen: what was written in between has this long to come (ms). */
const QUIET_MS = 400;

export function watchSamples(watch: Watch): Promise<void> {
  const { host, folder, started, inbox, clock, hostTime, contact, trees, signal } = watch;
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
      const motion = trees.see(sample);
      if (motion !== null && showsWork(motion, inbox.run())) inbox.put({ kind: 'motion', motion, at: sample.at, seen });
      gone = sample.alive ? 0 : gone + 1;
      const end = await endOf({ watch, sample, gone });
      if (end === 'on') continue;
      if (end === 'over') {
        contact.isOver = true;
        return await finish(watch, sample);
      }
      inbox.put({ kind: 'vanished', why: end.lost, at: sample.at, seen });
    }
  });
}

/** Processes alone prove work, not the lack of it: memory of GPUs, downloads and NCCL are in no sample. */
function showsWork(motion: Motion, run: Run): boolean {
  return motion.moved.length > 0 && wantsLook(run, motion.at);
}

interface Look {
  readonly watch: Watch;
  readonly sample: Sample;
  /** Samples in a row without the process. */
  readonly gone: number;
}

/** What this sample means: the run goes on, is over, or is lost. */
async function endOf({ watch, sample, gone }: Look): Promise<'on' | 'over' | { readonly lost: string }> {
  const { started, inbox, log, host, timings, signal } = watch;
  const run = inbox.run();
  const read = (): Reading => log.unsaid().reduce(addEvent, run.reading);
  const silence = { now: sample.at, settledMs: timings.settled, read };
  if (sample.exit !== null) return 'over';
  const restart = sample.alive ? null : restartSince(started, sample);
  if (isFound(run) && restart !== null) return showsEnd(read(), run.request.kind) ? 'over' : { lost: restart };
  if (isUnseen(run)) return verdictOnSilence(run, silence);
  if (gone < (isFound(run) ? FOUND_LOOKS : LOOKS_BEFORE_LOST)) return 'on';
  if (!isFound(run)) return { lost: whyGone({ started, sample, request: run.request }) };
  if ((gone - FOUND_LOOKS) % LOOKS_APART !== 0) return 'on';
  // Its first process is gone, but others of it may train on: they write the log. Somebody else's start in the same log is none of it.
  const writers = await host.writers(started.log, signal);
  const isOwn = (writer: Writer): boolean => writer.group === started.main.pid || holds(run.tree, writer);
  return writers.some(isOwn) ? verdictOnSilence(run, silence) : 'over';
}

/** The process has ended: its log is read to the end first, since the cause stands there. */
async function finish(watch: Watch, sample: Sample): Promise<void> {
  const { exit } = sample;
  const { inbox, log, targetLog, clock, hostTime, signal } = watch;
  const size = sample.logSize ?? 0;
  let read = { offset: -1, target: -1, at: clock.now() };
  while (!signal.aborted) {
    const { offset } = log.position();
    const target = targetLog?.log.position().offset ?? 0;
    if (offset !== read.offset || target !== read.target) read = { offset, target, at: clock.now() };
    if (clock.now() - read.at >= (offset >= size ? QUIET_MS : LAST_BYTES_MS)) break;
    await wait(20, signal);
  }
  if (signal.aborted) return;
  const times = { clock: hostTime.read(), seen: clock.now() };
  const at = exit?.at ?? sample.at;
  const last: Observation[] = [...(targetLog?.log.end(times) ?? []), ...log.end(times)];
  if (read.offset < size) {
    const text = `The log could be read to byte ${read.offset} of ${size} only: the cause may stand in the rest.`;
    last.push({ kind: 'notice', text, at, seen: times.seen });
  }
  const run = inbox.run();
  const warned = run.stopBy === null ? warnedOf(watch.started, run.request, exit) : null;
  if (warned !== null) last.push({ kind: 'notice', text: warned, at, seen: times.seen });
  inbox.put(...last, { kind: 'exited', exit, tail: log.tail() ?? [], at, seen: times.seen });
}

function whyGone({ started, sample, request }: { started: Started; sample: Sample; request: Request }): string {
  const restart = restartSince(started, sample);
  if (restart !== null) return restart;
  const gone = 'The process and its launcher are gone and left no exit record: something killed both.';
  return [gone, warnedOf(started, request, null) ?? ''].join(' ').trim();
}
