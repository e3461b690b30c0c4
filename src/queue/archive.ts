/** What is kept of runs that ended, and what the team noted of their troubles, on Redis. */

import { z } from 'zod';
import type { Earlier, TeamNote } from '../history/entry.ts';
import { troubleOf } from '../history/trouble.ts';
import type { Archive } from '../journal.ts';
import { type ArchiveParts, readEntries, readIndex } from './archive-read.ts';
import { catchUp, prune } from './archive-upkeep.ts';
import { readNote } from './archived.ts';
import { readRun } from './journal.ts';
import type { Scripts } from './scripts.ts';

/** Limits of the team's notes, and how many cards a new one has written anew. */
const MOST_NOTES = 1000;
const MOST_CARDS = 5;
/** So many earlier runs are looked at for one that can be read and may be named, a few at a time. */
const MOST_LOOKED_AT = 100;
const PAGE = 5;

interface Parts extends ArchiveParts {
  readonly scripts: Scripts;
  /** See journal.ts. */
  readonly wake: (run: string, gen: string) => void;
}

export function openArchive(parts: Parts): Archive {
  const { redis, keys } = parts;
  return {
    async list({ kind, hosts, of, most }) {
      const visible = (await readIndex(parts)).filter((row) => row.kind === kind && hosts.includes(row.host));
      const word = of?.toLowerCase() ?? null;
      const asked = visible.filter(
        ({ host, recipe }) => word === null || host.toLowerCase() === word || recipe.toLowerCase() === word,
      );
      const entries = await readEntries(
        parts,
        asked.slice(0, most).map(({ id }) => id),
      );
      return { entries, total: asked.length, recipes: [...new Set(visible.map(({ recipe }) => recipe))] };
    },
    async find(run) {
      const word = run.toLowerCase();
      const found = (await readIndex(parts)).find(({ id, name }) => id === run || name.toLowerCase() === word);
      return found === undefined ? null : ((await readEntries(parts, [found.id]))[0] ?? null);
    },
    async seen(fingerprint, but, hosts) {
      const [own, ended, note] = await Promise.all([
        redis.zscore(keys.trouble(fingerprint), but),
        redis.zscore(keys.ended, but),
        redis.hget(keys.teamNotes, fingerprint),
      ]);
      const earlier = await earlierThan(parts, { fingerprint, but, hosts, before: own ?? ended });
      return { earlier, note: readNote(note) };
    },
    note: (fingerprint, note, run) => noteDown(parts, { fingerprint, note, run }),
    catchUp: () => catchUp(parts),
    takePruning: async (every) => (await redis.set(keys.pruned, '1', 'PX', every, 'NX')) === 'OK',
    prune: () => prune(parts),
  };
}

/** The newest run with that trouble on one of the hosts that ended before; `before`: a score, null = whenever. */
async function earlierThan(
  parts: Parts,
  of: { fingerprint: string; but: string; hosts: readonly string[]; before: string | null },
): Promise<Earlier | null> {
  const { redis, keys } = parts;
  const newest = of.before === null ? '+inf' : `(${of.before}`;
  for (let first = 0; of.hosts.length > 0 && first < MOST_LOOKED_AT; first += PAGE) {
    const ids = await redis.zrange(
      ...([keys.trouble(of.fingerprint), newest, '-inf', 'BYSCORE', 'REV', 'LIMIT', first, PAGE] as const),
    );
    const entries = await readEntries(
      parts,
      ids.filter((id) => id !== of.but),
    );
    const found = entries.find(({ host }) => of.hosts.includes(host));
    if (found !== undefined) return { name: found.name, host: found.host, at: found.endedAt, thread: found.thread };
    if (ids.length < PAGE) return null;
  }
  return null;
}

async function noteDown(
  parts: Parts,
  { fingerprint, note, run }: { fingerprint: string; note: TeamNote; run: string },
): Promise<TeamNote | null> {
  const { redis, scripts, keys, wake } = parts;
  const ended = await redis.zrange(keys.trouble(fingerprint), '0', String(MOST_CARDS - 1), 'REV');
  const alike = [run, ...(await liveWith(parts, fingerprint)), ...ended];
  const ids = [...new Set(alike)].slice(0, MOST_CARDS);
  const named = [keys.teamNotes, keys.teamNotesOrder, keys.dirty, ...ids.map((id) => keys.run(id))];
  const answer = await scripts.vigilNote(
    ...[String(named.length), ...named],
    ...[fingerprint, JSON.stringify(note), String(note.at), String(MOST_NOTES), ...ids],
  );
  const [former, woken] = z.tuple([z.string(), z.array(z.string())]).parse(answer);
  woken.forEach((id, index) => {
    if (index % 2 === 0) wake(id, woken[index + 1] ?? '0');
  });
  return readNote(former);
}

/** Live runs with that trouble, the newest first. */
async function liveWith({ redis, keys }: Parts, fingerprint: string): Promise<readonly string[]> {
  const ids = await redis.zrange(keys.live, '0', '-1', 'REV');
  const runs = await Promise.all(ids.map((id) => redis.hget(keys.run(id), 'run')));
  return ids.filter((_, index) => {
    const json = runs[index] ?? null;
    return json !== null && troubleOfSaved(json) === fingerprint;
  });
}

/** null of a run that another version wrote otherwise. */
function troubleOfSaved(json: string): string | null {
  try {
    return troubleOf(readRun(json));
  } catch {
    return null;
  }
}
