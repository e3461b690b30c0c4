/** The line of launches that wait on a host, on Redis; what keeps it right is in line-scripts.ts. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Line } from '../line.ts';
import type { Party, Stand } from '../place/place.ts';
import type { Run } from '../run/run.ts';
import { stepAll } from '../run/step.ts';
import { readRun } from './journal.ts';
import { holdWords, type Keys } from './keys.ts';
import type { Scripts } from './scripts.ts';

interface Parts {
  readonly redis: Redis;
  readonly scripts: Scripts;
  readonly keys: Keys;
  /** See journal.ts. */
  readonly wake: (run: string, gen: string) => void;
  /** Has the host's line looked at: each call for itself, since one that is just ending may have seen the line before. */
  readonly look: (host: string) => Promise<void>;
}

export function openLine({ redis, scripts, keys, wake, look }: Parts): Line {
  return {
    read: (host, but) => readStand({ redis, keys }, host, but),
    async take(entry, { placement, holds, past, at }) {
      const { id, host } = entry.run.request;
      const { run, happened } = stepAll(entry.run, [{ kind: 'placed', placement, at, seen: at }]);
      const events = happened.map((event, index) => JSON.stringify({ seq: entry.seq + index + 1, ...event }));
      const [verdict, gen] = z
        .tuple([z.enum(['taken', 'held', 'behind', 'stale'])], z.string())
        .parse(
          await scripts.vigilTake(
            ...[keys.run(id), keys.events(id), keys.dirty, keys.holds, keys.line(host)],
            ...[id, String(entry.version), JSON.stringify(run), JSON.stringify(holdWords(host, holds))],
            ...[JSON.stringify(past), ...events],
          ),
        );
      if (verdict === 'taken') wake(id, gen ?? '0');
      return verdict;
    },
    wake: look,
  };
}

/** See Line.read. Runs that ended in between are left out. */
export async function readStand(
  { redis, keys }: Pick<Parts, 'redis' | 'keys'>,
  host: string,
  but: string | null = null,
): Promise<Stand> {
  const [all, waiting] = await Promise.all([redis.hgetall(keys.holds), redis.zrange(keys.line(host), '0', '-1')]);
  const prefix = `${host}|`;
  const held = Object.entries(all).filter(([word, id]) => word.startsWith(prefix) && id !== but);
  const ids = [...new Set([...held.map(([, id]) => id), ...waiting.filter((id) => id !== but)])];
  const runs = new Map(await Promise.all(ids.map(async (id) => [id, await runOf({ redis, keys }, id)] as const)));
  return {
    held: new Map(
      held.flatMap(([word, id]) => {
        const run = runs.get(id) ?? null;
        return run === null ? [] : [[word.slice(prefix.length), partyOf(run)] as const];
      }),
    ),
    line: waiting.flatMap((id) => {
      const run = runs.get(id) ?? null;
      return run === null ? [] : [{ party: partyOf(run), request: run.request }];
    }),
  };
}

function partyOf({ request: { id, name, recipe, by, at }, turnAt }: Run): Party {
  return { run: id, name, recipe, by, since: turnAt ?? at };
}

async function runOf({ redis, keys }: Pick<Parts, 'redis' | 'keys'>, id: string): Promise<Run | null> {
  const json = await redis.hget(keys.run(id), 'run');
  return json === null ? null : readRun(json);
}
