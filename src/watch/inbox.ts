/**
 * The watch's own writer: collects observations, and moves run, checkpoint and tail together.
 * `entry` is what the journal holds; `pending` is what was seen since. Where another writer (a stop) came first, the entry is
 * loaded again and the pending observations are stepped again on top of it: nothing seen is lost, nothing is said twice.
 */

import type { TeamRow } from '../config/config.ts';
import type { Checkpoint, Entry, Journal } from '../journal.ts';
import { timeLeft } from '../pulse/time-left.ts';
import { isWatched } from '../pulse/watched.ts';
import type { Step } from '../run/happening.ts';
import type { Observation } from '../run/observe.ts';
import { isEnd, type Run } from '../run/run.ts';
import { stepAll } from '../run/step.ts';

const MOST_PENDING = 500;
/** A card that says when its run was heard is at most so old (ms). */
const CARD_AGE_MS = 60_000;

/** The fence is lost: another process watches this run now. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

export interface Inbox {
  /** The run with everything pending applied. */
  run(): Run;
  put(...observations: readonly Observation[]): void;
  /** True when something pending must be written now rather than with the next pace. */
  isUrgent(): boolean;
  /** True when reading should wait: Redis is slower than the host (nothing is buffered without bound). */
  isFull(): boolean;
  /** Writes what is pending. Throws Fenced. */
  flush(state: () => { checkpoint: Checkpoint | null; tail: readonly string[] | null }): Promise<void>;
}

/** `teamRows`: vigil.yaml's own explanations of failures. */
export function openInbox(journal: Journal, first: Entry, fence: number, teamRows: readonly TeamRow[] = []): Inbox {
  let entry = first;
  let pending: Observation[] = [];
  /** The entry's run with all that is pending, stepped once as it comes: a busy log is too much to be stepped twice. */
  let ahead: Step = { run: first.run, happened: [] };

  const isNews = (run: Run): boolean => faceOf(run) !== faceOf(entry.run);
  const hasMoved = (run: Run): boolean => paceOf(run) !== paceOf(entry.run);

  /** Another writer came first: what is pending is stepped again on top of its state. An ended run takes nothing more. */
  const rebase = async (): Promise<void> => {
    const fresh = await journal.load(entry.run.request.id);
    if (fresh === null) throw new Fenced();
    entry = fresh;
    if (isEnd(fresh.run.phase)) pending = [];
    ahead = stepAll(fresh.run, pending, teamRows);
  };

  return {
    run: () => ahead.run,
    put(...observations) {
      pending.push(...observations);
      const { run, happened } = stepAll(ahead.run, observations, teamRows);
      ahead = { run, happened: [...ahead.happened, ...happened] };
    },
    isUrgent: () => ahead.happened.length > 0 || isNews(ahead.run),
    isFull: () => pending.length >= MOST_PENDING,
    async flush(state) {
      for (;;) {
        const { run, happened } = ahead;
        const taken = pending.length;
        const { checkpoint, tail } = state();
        const write = { run, from: entry, fence, happened, checkpoint, tail, isNews: isNews(run) || hasMoved(run) };
        const written = await journal.append(write);
        if (written === 'fenced') throw new Fenced();
        if (written === 'written') {
          pending = pending.slice(taken);
          ahead = { run: ahead.run, happened: ahead.happened.slice(happened.length) };
          const [seq, version] = [entry.seq + happened.length, entry.version + 1];
          entry = { ...entry, run, seq, version, checkpoint: checkpoint ?? entry.checkpoint };
          return;
        }
        await rebase();
        if (isEnd(entry.run.phase)) return;
      }
    },
  };
}

/** What people see of a run on its card: a change here is news. */
function faceOf(run: Run): string {
  const { phase, pulse, readiness, failure, stopBy, started, target } = run;
  const progress = run.request.kind === 'serve' ? run.progress : null;
  const server = [target?.down?.at ?? null, target?.answered ?? null, target?.reading.phases ?? null];
  const told = [...vitalsFace(run), run.verification?.at ?? null];
  return JSON.stringify([
    phase,
    progress,
    pulse,
    readiness,
    failure !== null,
    stopBy,
    started?.main ?? null,
    server,
    told,
  ]);
}

/** What stands told of a ready server. */
function vitalsFace({ vitals }: Run): unknown[] {
  if (vitals === null) return [];
  const { hang, death, disks, errors, fall } = vitals;
  return [hang?.what ?? null, death?.at ?? null, disks.map(({ mount }) => mount), errors !== null, fall !== null];
}

/** What moves all the time, in a training, while a log is silent, or in a server's load: written with the next pace, not at once. */
function paceOf(run: Run): string {
  const { training, progress, reading, target, vitals } = run;
  const record = training?.last.record;
  const steps = [record?.step, record?.loss, progress, reading.facts.checkpoint, target?.reading.progress];
  const { motion, arrived } = run.work;
  const shown = run.pulse === 'moving' ? arrived : motion?.at;
  return JSON.stringify([
    ...steps,
    shown,
    timeLeft(run, run.seenAt)?.kind,
    // Its card says when it was last heard.
    isWatched(run) ? Math.floor(run.seenAt / CARD_AGE_MS) : null,
    vitals?.load?.at ?? null,
    vitals?.answeredAt ?? null,
  ]);
}
