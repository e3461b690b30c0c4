/** The journal on Redis. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import { TRAINING_GRACE } from '../config/training.ts';
import { type Entry, type Journal, NOWHERE, type Written } from '../journal.ts';
import { holdsOf } from '../place/needs.ts';
import { NO_WORK } from '../pulse/work.ts';
import type { Happening } from '../run/happening.ts';
import { isNamed } from '../run/request.ts';
import { isEnd, type Run, type RunEvent } from '../run/run.ts';
import { archivedOf } from './archived.ts';
import { holdWords, type Keys } from './keys.ts';
import { fieldOf } from './records.ts';
import type { Scripts } from './scripts.ts';

/** Before a run was asked for nothing of it can stand in Slack, give or take this (ms). */
const JUST_BEFORE_MS = 60_000;
/** So many ended runs are still asked about. */
const MOST_ENDED = 50;

interface Parts {
  readonly redis: Redis;
  readonly scripts: Scripts;
  readonly keys: Keys;
  /** Wakes the run's report, without waiting for it; `gen` names the report job that is not ending yet. */
  readonly wake: (run: string, gen: string) => void;
  /** Has a host's line looked at, without waiting for it. */
  readonly wakeLine: (host: string) => void;
}

export function openJournal({ redis, scripts, keys, wake, wakeLine }: Parts): Journal {
  return {
    async load(id) {
      return readEntry(await redis.hgetall(keys.run(id)));
    },
    live: () => redis.zrange(keys.live, '0', '-1'),
    ended: () => redis.zrange(keys.ended, String(-MOST_ENDED), '-1'),
    dirty: () => redis.smembers(keys.dirty),
    takeWatch: (id) => redis.hincrby(keys.run(id), 'fence', 1),
    async append({ run, from, fence, happened, checkpoint, tail, isNews, deadline }) {
      const id = run.request.id;
      const events = happened.map((event, index) => JSON.stringify({ seq: from.seq + index + 1, ...event }));
      const host = run.request.host;
      const left = leaving(run, happened);
      const kept = left === 'over' ? archivedOf(run, happened) : null;
      const answer = z
        .tuple([z.string()], z.union([z.string(), z.number()]))
        .parse(
          await scripts.vigilAppend(
            ...[keys.run(id), keys.events(id), keys.dirty, keys.live, keys.ended, keys.holds, keys.line(host)],
            ...[keys.archive, keys.archiveIndex, keys.trouble(kept?.fingerprint ?? ''), keys.records],
            ...[id, fence === null ? '' : String(fence), String(from.version), JSON.stringify(run)],
            ...[checkpoint === null ? '' : JSON.stringify(checkpoint), tail === null ? '' : JSON.stringify(tail)],
            ...[isNews ? '1' : '0', left, String(run.seenAt), deadline === undefined ? '' : String(deadline)],
            ...[kept?.json ?? '', kept?.member ?? '', String(kept?.at ?? 0), kept?.fingerprint ?? ''],
            ...[fieldOf(host, run.request.recipe), recordIn(happened)],
            ...events,
          ),
        );
      if (answer[0] === 'late') return 'late';
      const written = asWritten(answer[0]);
      if (written === 'written' && (isNews || events.length > 0)) wake(id, String(answer[1] ?? '0'));
      if (Number(answer[2] ?? 0) > 0) wakeLine(host);
      return written;
    },
    async decideHome(id, channel) {
      const gen = await scripts.vigilHome(keys.run(id), keys.dirty, id, channel ?? NOWHERE);
      if (gen === -1) return false;
      wake(id, String(gen));
      return true;
    },
    async adopt(run, home, checkpoint) {
      const { id, name, host, at } = run.request;
      // What was posted of it stands in Slack since then; a run that somebody asked for now is new, however old its process is.
      const since = isNamed(run) ? at - JUST_BEFORE_MS : Math.min(at, run.started?.at ?? at);
      const answer = await scripts.vigilAdopt(
        ...[keys.run(id), keys.live, keys.dirty, keys.names, keys.counters, keys.holds, keys.events(id)],
        ...[id, name, host, JSON.stringify(run), home, String(at), String(since)],
        ...[checkpoint === null ? '' : JSON.stringify(checkpoint), ...holdWords(host, holdsOf(run))],
      );
      if (answer !== 1) return false;
      wake(id, '0');
      return true;
    },
    isSurveyed: async (host) => (await redis.sismember(keys.surveyed, host)) === 1,
    async markSurveyed(host) {
      await redis.sadd(keys.surveyed, host);
    },
    takeCleaning: async (host, every) => (await redis.set(keys.cleaned(host), '1', 'PX', every, 'NX')) === 'OK',
  };
}

/** A cause as it was saved before it named its row: it says what it said then. */
const SavedCause = z
  .looseObject({
    row: z.string().default('unknown'),
    why: z.string().default(''),
    link: z.string().nullable().default(null),
    retry: z.string().default('may help'),
    fingerprint: z.string().default(''),
  })
  .nullish();
const SavedFailure = z.looseObject({ cause: SavedCause }).nullish();
const SavedDown = z.looseObject({ cause: SavedCause }).nullish();

/** A start as it was saved before it had warnings. */
const SavedStarted = z.looseObject({ warnings: z.array(z.string()).default([]) }).nullish();

/** What was found as it was saved when only patrols found, and only trainings. */
const SavedFound = z.looseObject({
  process: z.looseObject({ server: z.unknown().default(null) }).nullable(),
  trigger: z.string().nullable().default(null),
  answered: z.boolean().default(false),
});
const SavedRequest = z
  .looseObject({
    ...{ id: z.string(), name: z.string(), host: z.string(), recipe: z.string() },
    stopGrace: z.number().default(0),
    found: SavedFound.nullable().default(null),
  })
  .transform((request) =>
    request.found !== null && request.stopGrace === 0 ? { ...request, stopGrace: TRAINING_GRACE } : request,
  );

/** The gate for what this Vigil wrote itself: enough to tell a foreign or damaged entry, which is refused by name. */
const SavedRun = z.looseObject({
  request: SavedRequest,
  phase: z.string(),
  visits: z.array(z.unknown()),
  started: SavedStarted,
  waiting: z.unknown().default(null),
  turnAt: z.number().nullable().default(null),
  confirmed: z.unknown().default(null),
  placement: z.unknown().default(null),
  checks: z.unknown().default(null),
  verification: z.unknown().default(null),
  vitals: z.unknown().default(null),
  work: z
    .looseObject({})
    .default({})
    .transform((work) => ({ ...NO_WORK, ...work })),
  failure: SavedFailure,
  target: z.looseObject({ down: SavedDown }).nullish(),
});
const SavedEvent = z.looseObject({
  ...{ seq: z.number(), kind: z.string(), at: z.number(), seen: z.number() },
  ...{ cause: SavedCause, failure: SavedFailure, down: SavedDown },
});
const SavedMark = z.looseObject({ position: z.looseObject({ offset: z.number() }), carry: z.unknown() });
const SavedCheckpoint = SavedMark.extend({ target: SavedMark.nullable().default(null) });

export function readRun(json: string): Run {
  return SavedRun.parse(JSON.parse(json)) as unknown as Run;
}

export function readEvent(json: string | undefined): RunEvent {
  return SavedEvent.parse(JSON.parse(json ?? 'null')) as unknown as RunEvent;
}

export function readEntry(hash: Record<string, string>): Entry | null {
  const json = hash.run;
  if (json === undefined) return null;
  const checkpoint = hash.checkpoint;
  return {
    run: readRun(json),
    seq: Number(hash.seq),
    version: Number(hash.version),
    rev: Number(hash.rev),
    checkpoint:
      checkpoint === undefined
        ? null
        : (SavedCheckpoint.parse(JSON.parse(checkpoint)) as unknown as Entry['checkpoint']),
    home: hash.home ?? null,
  };
}

/** What becomes of all that the run holds, in the script's words: it keeps it, or is over, or goes back to the line. */
function leaving(run: Run, happened: readonly Happening[]): '' | 'over' | 'back' {
  if (isEnd(run.phase)) return 'over';
  return happened.some(({ kind }) => kind === 'turn_lost') ? 'back' : '';
}

/** JSON of what the recipe's record becomes; '' where it stays. */
function recordIn(happened: readonly Happening[]): string {
  const records = happened.flatMap((one) =>
    one.kind === 'ready' || one.kind === 'verified' ? (one.record ?? []) : [],
  );
  const record = records.at(-1);
  return record === undefined ? '' : JSON.stringify(record);
}

export function asWritten(answer: unknown): Written {
  return z.enum(['written', 'stale', 'fenced']).parse(answer);
}
