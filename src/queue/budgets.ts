/** How often Slack may be written to, on Redis: one count for all processes of this Vigil, by Redis's own clock. */

import { z } from 'zod';
import type { Budgets } from '../budgets.ts';
import type { Keys } from './keys.ts';
import type { Scripts } from './scripts.ts';

interface Limit {
  readonly most: number;
  readonly ms: number;
}

interface Terms {
  /** Of the asker's own line: the workspace's edits, or one channel's messages. */
  readonly own: readonly Limit[];
  /** Of all channels' messages together; empty of edits. */
  readonly all: readonly Limit[];
}

const MINUTE = 60_000;
/** Slack allows about 50 chat.update a minute in a workspace. */
const EDITS: Limit = { most: 40, ms: MINUTE };
/** What is not urgent leaves the rest of the minute to what is, and doesn't use up its own share at once. */
const PLAIN_EDITS: readonly Limit[] = [
  { most: 34, ms: MINUTE },
  { most: 6, ms: 10_000 },
];
/** One message a second in a channel; three may come at once, but not again and again. */
const CHANNEL: readonly Limit[] = [
  { most: 3, ms: 3_000 },
  { most: 5, ms: 5_000 },
];
/** "Several hundred" messages a minute in a workspace. */
const POSTS: Limit = { most: 200, ms: MINUTE };
const PLAIN_POSTS: Limit = { most: 180, ms: MINUTE };

/** What Slack asks for after a 429 is kept within this: an hour's rest would silence ends, and none at all would have us ask again and again. */
const LEAST_REST_MS = 2_000;
const MOST_REST_MS = 5 * MINUTE;

/** Who waits for longer asks in between, to show that it still does. */
const ASK_MS = 5_000;
/** Who has not asked for this long is forgotten. */
const FORGET_MS = 10_000;

interface Parts {
  readonly scripts: Scripts;
  readonly keys: Keys;
  /** Slack's minute, ms: tests that compress time make it shorter. */
  readonly minute: number;
  /** ms; null = Redis's own clock. */
  readonly now: (() => number) | null;
}

export function openBudgets({ scripts, keys, minute, now }: Parts): Budgets {
  const pace = minute / MINUTE;
  const scaled = ({ most, ms }: Limit): Limit => ({ most, ms: Math.max(1, Math.round(ms * pace)) });
  const time = (): string => (now === null ? '' : String(now()));
  const take = async (what: string, { asker, isUrgent }: Asker, { own, all }: Terms): Promise<number> => {
    const { taken, waiting, seen, rest } = keys.budget(what);
    const terms = {
      own: own.map(scaled),
      all: all.map(scaled),
      kept: POSTS.most,
      rest: MOST_REST_MS,
      minute,
      ask: Math.ceil(ASK_MS * pace),
      forget: Math.ceil(FORGET_MS * pace),
    };
    const answer = await scripts.vigilBudget(
      ...[taken, keys.budget('posts').taken, waiting, seen, rest],
      ...[time(), asker, isUrgent ? '1' : '0', JSON.stringify(terms)],
    );
    return z.number().parse(answer);
  };
  return {
    edit: (card, isUrgent) =>
      take('edits', { asker: card, isUrgent }, { own: isUrgent ? [EDITS] : PLAIN_EDITS, all: [] }),
    post: (channel, isUrgent, asker) =>
      take(channelsLine(channel), { asker, isUrgent }, { own: CHANNEL, all: [isUrgent ? POSTS : PLAIN_POSTS] }),
    async rest(what, ms) {
      const { rest } = keys.budget(what === 'edit' ? 'edits' : channelsLine(what.post));
      const kept = Math.min(MOST_REST_MS, Math.max(Math.ceil(LEAST_REST_MS * pace), Math.ceil(ms)));
      await scripts.vigilRest(rest, time(), String(kept), String(MOST_REST_MS));
    },
  };
}

interface Asker {
  readonly asker: string;
  readonly isUrgent: boolean;
}

function channelsLine(channel: string): string {
  return `channel:${channel}`;
}
