/** Waits for what a headless demo's run comes to. */
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { loadConfig } from '../../src/config/load.ts';
import type { Entry } from '../../src/journal.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { isEnd } from '../../src/run/run.ts';
import type { Stage, StageOptions } from './stage.ts';
import { codeWithoutRun } from './understood.ts';

/** A replayed log that is out, and a run that says nothing new for this long (ms): nothing more will come. */
const QUIET_MS = 6_000;
/** On a busy machine an accepted launch may make its run after Slack was answered (ms). */
const LATE_MS = 5_000;
/** Scenarios that end only when somebody stops them. */
const ENDLESS = ['nccl-hang', 'train-nccl-hang', 'download-stall'];
/** Scenarios that end some time after readiness. */
const CRASHES = ['crash-after-ready', 'engine-dead'];
/** So many bad requests make a burst, and when it is over nothing may be told of it for this long (ms): a look and more. */
const BURST = 300;
const AFTERMATH_MS = 12_000;
/** After an alarm, the stacks are looked at and told within this (ms). */
const STACKS_MS = 15_000;
/** A training that was started by hand and has ended is found within this (ms), or not at all. */
const FOUND_MS = 30_000;

export interface Outcome {
  readonly exitCode: 0 | 1 | 2;
  /** What a reader should know beside the thread, or null. */
  readonly note: string | null;
}

export type Played = Pick<StageOptions, 'scenario' | 'replay'> & {
  /** '' where nothing was typed. */
  readonly command: string;
  /** Resolves when what somebody does on the host is over; null where nobody does. */
  readonly byHand: Promise<void> | null;
};

/**
 * 0 = ready and of use, and stays so where what comes later is part of what is played, or a training has finished; 1 = it ended
 * otherwise, never came so far, is of no use, hangs, or trains without its target; 2 = the command was not understood. Its connection is closed when this resolves, interrupted or not.
 */
export async function followRun(stage: Stage, played: Played, signal: AbortSignal): Promise<Outcome | 'interrupted'> {
  const redis = new Redis(stage.redisUrl, { maxRetriesPerRequest: null });
  const store = openStore(redis, stage.instance);
  // What waits for an answer of Redis is let go by this as well.
  const cut = (): void => redis.disconnect();
  signal.addEventListener('abort', cut);
  try {
    const id =
      played.byHand === null
        ? await findRun(store, stage, played.command)
        : await findByHand(store, played.byHand, signal);
    if (id === null) return { exitCode: 1, note: 'The training that was started by hand was not found.' };
    if (typeof id !== 'string') return { exitCode: id, note: null };
    return await followEntry(store, id, played, signal);
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    await store.close();
  }
}

/** The id of the run that the command made, else the exit code without one. */
async function findRun(store: Store, stage: Stage, command: string): Promise<string | 0 | 1 | 2> {
  const code = codeWithoutRun(command, loadConfig(stage.configPath, stage.environment));
  const latest = Date.now() + (code === 1 ? LATE_MS : 0);
  for (;;) {
    const id = await newestRun(store);
    if (id !== null) return id;
    if (Date.now() >= latest) return code;
    await pause(100);
  }
}

/** The id of the run that the patrol made, or null where it made none. */
async function findByHand(store: Store, byHand: Promise<void>, signal: AbortSignal): Promise<string | null> {
  let latest = Number.POSITIVE_INFINITY;
  void byHand.then(() => {
    latest = Date.now() + FOUND_MS;
  });
  for (;;) {
    const id = await newestRun(store);
    if (id !== null || Date.now() >= latest) return id;
    await pause(100, undefined, { signal });
  }
}

async function followEntry(
  store: Store,
  id: string,
  { scenario, replay }: Played,
  signal: AbortSignal,
): Promise<Outcome> {
  const endsByItself = CRASHES.includes(scenario) || (replay !== null && replay.exit !== null);
  const isWatched = replay === null && ['hang-after-ready', 'burst-400'].includes(scenario);
  let burst: number | null = null;
  let last = { face: '', since: Date.now() };
  let alarmed: number | null = null;
  for (;;) {
    const entry = await store.journal.load(id);
    const isSaid = !(await store.journal.dirty()).includes(id);
    if (entry !== null && isSaid && isEnd(entry.run.phase)) {
      return { exitCode: entry.run.phase === 'finished' ? 0 : 1, note: null };
    }
    if (entry !== null && isSaid && replay === null && hasLostTarget(entry)) return { exitCode: 1, note: TARGET_LOST };
    if (entry !== null && isSaid && isWatched && entry.run.vitals?.hang) return { exitCode: 1, note: HANGS };
    if (entry !== null && isWatched && burst === null && (await isBurstOver(entry))) burst = Date.now();
    if (isSaid && burst !== null && Date.now() - burst > AFTERMATH_MS) return { exitCode: 0, note: BURST_OVER };
    if (entry !== null && isSaid && entry.run.phase === 'ready' && !endsByItself && !isWatched) {
      return { exitCode: entry.run.verification?.outcome === 'unusable' ? 1 : 0, note: null };
    }
    const isAlarmed = entry?.run.work.alarm === 'stuck' || entry?.run.work.alarm === 'busy';
    alarmed = isAlarmed ? (alarmed ?? Date.now()) : null;
    const isOver = alarmed !== null && Date.now() - alarmed > STACKS_MS;
    if (isOver && isSaid && replay === null && ENDLESS.includes(scenario)) return { exitCode: 1, note: STUCK };
    const face = JSON.stringify([entry?.seq, entry?.rev, entry?.checkpoint?.position.offset]);
    if (face !== last.face) last = { face, since: Date.now() };
    const isQuiet = Date.now() - last.since > QUIET_MS;
    if (entry !== null && replay?.exit === null && isQuiet && (await isPlayed(entry, replay.log))) return leftAs(entry);
    await pause(100, undefined, { signal });
  }
}

const STUCK = 'The run is stuck, for ever in this scenario: it ends only when somebody stops it.';
const HANGS = 'The engine stands still, for ever in this scenario: it ends only when somebody stops it.';
const BURST_OVER = 'Hundreds of bad requests later the server is as well as before, and nothing was told of them.';
const TARGET_LOST = 'The target server is down and the script goes on: such a run ends only when somebody stops it.';

/** A target that the script stopped itself is part of a good end. */
function hasLostTarget({ run: { target } }: Entry): boolean {
  return target !== null && target.down !== null && !target.down.isAsked;
}

/** What a log comes to that is out while its process lives on. */
function leftAs({ run: { phase, request } }: Entry): Outcome {
  const whose = request.kind === 'train' ? "a training's" : "vLLM's";
  if (phase === 'launched') return { exitCode: 1, note: `No line of this log looks like ${whose}.` };
  return {
    exitCode: phase === 'ready' ? 0 : 1,
    note: `The log ends here and the process lives on; the run is still in phase ${phase}.`,
  };
}

async function newestRun(store: Store): Promise<string | null> {
  const ended = await store.redis.zrange(store.keys.ended, '-1', '-1');
  return (await store.journal.live()).at(-1) ?? ended[0] ?? null;
}

/** Whether a client's bad requests stand in the log, and the watch has read them. */
async function isBurstOver({ run, checkpoint }: Entry): Promise<boolean> {
  if (run.started === null || run.phase !== 'ready') return false;
  const log = await readFile(run.started.log, 'latin1');
  const end =
    log.split(' 400 Bad Request').length > BURST ? log.lastIndexOf(' 400 Bad Request') : Number.POSITIVE_INFINITY;
  return (checkpoint?.position.offset ?? 0) > end;
}

/** The rehearsal host is this machine, so the run's log can be measured here. */
async function isPlayed({ run }: Entry, source: string): Promise<boolean> {
  if (run.started === null) return false;
  const [played, whole] = await Promise.all([stat(run.started.log), stat(source)]);
  return played.size >= whole.size;
}
