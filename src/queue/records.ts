/** What verified runs of a recipe have reached on a host, on Redis: one field a host and recipe. */

import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Records } from '../journal.ts';
import type { KeptRecord } from '../verify/verification.ts';
import type { Keys } from './keys.ts';

const Kept = { run: z.string(), at: z.number(), argv: z.array(z.string()) };
const Speed = z.object({
  by: z.enum(['forwarding', 'curl']),
  tokensPerSecond: z.number(),
  firstTokenMs: z.number().nullable(),
});
export const Acceptance = z.object({
  rate: z.number(),
  length: z.number(),
  curve: z.array(z.number()),
  drafts: z.number(),
  of: z.enum(['prompts', 'traffic']),
});
const Saved = z.object({
  speed: z.object({ value: Speed, ...Kept }).nullable(),
  acceptance: z.object({ value: Acceptance, ...Kept }).nullable(),
});

export function openRecords({ redis, keys }: { redis: Redis; keys: Keys }): Records {
  return {
    async read(host, recipe) {
      const json = await redis.hget(keys.records, fieldOf(host, recipe));
      return json === null ? null : parse(json);
    },
  };
}

/** Names of vigil.yaml hold no blank. */
export function fieldOf(host: string, recipe: string): string {
  return `${host} ${recipe}`;
}

/** null for what another version wrote: the next verified run sets it anew. */
function parse(json: string): KeptRecord | null {
  try {
    return Saved.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
