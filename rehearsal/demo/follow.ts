/** Waits for what a headless demo's run comes to. */
import { stat } from 'node:fs/promises';
import { Redis } from 'ioredis';
import type { Entry } from '../../src/journal.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import { isEnd } from '../../src/run/run.ts';
import type { Stage, StageOptions } from './stage.ts';

/** A replayed log that is out, and a run that says nothing new for this long (ms): nothing more will come. */
const QUIET_MS = 6_000;

export interface Outcome {
  readonly exitCode: 0 | 1;
  /** What a reader should know beside the thread, or null. */
  readonly note: string | null;
}

/** 0 = ready, and stays so where the server's end is part of what is played; 1 = it ended otherwise, or never came so far. */
export async function followRun(
  stage: Stage,
  { scenario, replay, command }: Pick<StageOptions, 'scenario' | 'replay'> & { command: string },
): Promise<Outcome> {
  const store = openStore(new Redis(stage.redisUrl, { maxRetriesPerRequest: null }), stage.instance);
  const endsByItself = scenario === 'crash-after-ready' || (replay !== null && replay.exit !== null);
  let last = { face: '', since: Date.now() };
  try {
    for (;;) {
      const id = await newestRun(store);
      if (id === null) return { exitCode: /^\/\S+\s+launch\b/.test(command) ? 1 : 0, note: null };
      const entry = await store.journal.load(id);
      const isSaid = !(await store.journal.dirty()).includes(id);
      if (entry !== null && isSaid && isEnd(entry.run.phase)) return { exitCode: 1, note: null };
      if (entry !== null && isSaid && entry.run.phase === 'ready' && !endsByItself) return { exitCode: 0, note: null };
      const face = JSON.stringify([entry?.seq, entry?.rev, entry?.checkpoint?.position.offset]);
      if (face !== last.face) last = { face, since: Date.now() };
      if (
        entry !== null &&
        replay?.exit === null &&
        Date.now() - last.since > QUIET_MS &&
        (await isPlayed(entry, replay.log))
      ) {
        return {
          exitCode: entry.run.phase === 'ready' ? 0 : 1,
          note: `The log ends here and the process lives on; the run is still in phase ${entry.run.phase}.`,
        };
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await store.close();
  }
}

async function newestRun(store: Store): Promise<string | null> {
  const ended = await store.redis.zrange(store.keys.ended, '-1', '-1');
  return (await store.journal.live()).at(-1) ?? ended[0] ?? null;
}

/** The rehearsal host is this machine, so the run's log can be measured here. */
async function isPlayed({ run }: Entry, source: string): Promise<boolean> {
  if (run.started === null) return false;
  const [played, whole] = await Promise.all([stat(run.started.log), stat(source)]);
  return played.size >= whole.size;
}
