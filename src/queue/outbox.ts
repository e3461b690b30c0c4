/** The outbox on Redis: what Slack has of a run, what is on its way there, and what stands between. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Draft, Outbox } from '../journal.ts';
import { asWritten, readEntry, readEvent } from './journal.ts';
import type { Keys } from './keys.ts';
import { PlaceShape } from './place-shape.ts';
import { readRedisClock } from './redis.ts';
import type { Scripts } from './scripts.ts';

interface Parts {
  readonly redis: Redis;
  readonly scripts: Scripts;
  readonly keys: Keys;
  /** ms; null = Redis's own clock. */
  readonly now: (() => number) | null;
}

export function openOutbox({ redis, scripts, keys, now }: Parts): Outbox {
  const time = (): string => (now === null ? '' : String(now()));
  return {
    take: (id) => redis.hincrby(keys.run(id), 'rfence', 1),
    last: async (id) => Number(await redis.hget(keys.run(id), 'seq')),
    async read(id) {
      const hash = await redis.hgetall(keys.run(id));
      const entry = readEntry(hash);
      if (entry === null) return null;
      const cursor = Number(hash.cursor);
      // Up to the run's own sequence: an event that came after this look at the run belongs to the next.
      const [events, at] = await Promise.all([
        redis.xrange(keys.events(id), `(${cursor}-0`, `${entry.seq}-0`),
        now === null ? readRedisClock(redis) : now(),
      ]);
      const intent = saved(hash.intent, Intent);
      return {
        ...{ entry, cursor, intent },
        root: saved(hash.root, PlaceShape),
        intentAge: intent === null ? 0 : ageOf(intent.at, at),
        cardRev: Number(hash.cardRev),
        cardAge: hash.cardAt === undefined ? Number.POSITIVE_INFINITY : ageOf(Number(hash.cardAt), at),
        shown: saved(hash.shown, ShownShape),
        isFrozen: hash.frozen !== undefined,
        filing: filingAt(hash.filing, at),
        events: events.map(([, fields]) => readEvent(fields[1])),
        tail: saved(hash.tail, z.array(z.string())) ?? [],
      };
    },
    async intend(id, fence, event, attempt) {
      return asWritten(await scripts.vigilIntend(keys.run(id), String(fence), event, String(attempt), time()));
    },
    withdraw: async (id, fence) => asWritten(await scripts.vigilWithdraw(keys.run(id), String(fence))),
    async delivered(id, fence, cursor, root) {
      const place = root === null ? '' : JSON.stringify(root);
      return asWritten(
        await scripts.vigilDelivered(keys.run(id), keys.roots, id, String(fence), String(cursor), place),
      );
    },
    async carded(id, fence, rev, shown) {
      const sent = shown === null ? '' : JSON.stringify(shown);
      return asWritten(
        await scripts.vigilCarded(keys.run(id), keys.roots, id, String(fence), String(rev), sent, time()),
      );
    },
    freeze: async (id, fence) => asWritten(await scripts.vigilFreeze(keys.run(id), String(fence))),
    async file(id, fence, { event, file, tries }, shares) {
      const words = [String(event), file ?? '', String(tries), shares ? '1' : '0', time()];
      return asWritten(await scripts.vigilFiling(keys.run(id), String(fence), ...words));
    },
    async forgetRoot(id, fence, home) {
      return asWritten(await scripts.vigilForgetRoot(keys.run(id), keys.roots, String(fence), home ?? ''));
    },
    async settle(id, fence) {
      return z
        .enum(['settled', 'more', 'fenced'])
        .parse(await scripts.vigilSettle(keys.run(id), keys.dirty, id, String(fence)));
    },
  };
}

const Intent = z.object({ event: z.string(), attempt: z.number(), at: z.number() });
const ShownShape = z.object({ digest: z.string(), standing: z.string() });
const FilingShape = z.object({
  ...{ event: z.number(), tries: z.number(), at: z.number() },
  file: z.string().nullable().default(null),
  sharedAt: z.number().nullable().default(null),
});

function saved<T>(json: string | undefined, shape: z.ZodType<T>): T | null {
  return json === undefined ? null : shape.parse(JSON.parse(json));
}

function filingAt(json: string | undefined, now: number): Draft['filing'] {
  const filing = saved(json, FilingShape);
  if (filing === null) return null;
  const { event, file, tries, at, sharedAt } = filing;
  return { event, file, tries, age: ageOf(at, now), shareAge: sharedAt === null ? null : ageOf(sharedAt, now) };
}

/** Redis's clock may be set back, or be another machine's after a fail-over: what lies in the future is not waited for. */
function ageOf(at: number, now: number): number {
  return Math.abs(now - at);
}
