/** How fast the fixed prompts were completed. */

import { count, some } from '../check/words.ts';
import { list } from '../list.ts';
import type { Measured, PromptRun } from './measured.ts';
import type { Speed } from './verification.ts';

/** Fewer tokens are too few to tell a speed by. */
const LEAST_TOKENS = 32;
/** A first token that comes later than that in its answer came with the last: something on the way keeps a stream back. */
const LATEST_FIRST = 0.9;

/** null where too little was completed. */
export function speedOf({ prompts, others }: Pick<Measured, 'prompts' | 'others'>): Speed | null {
  const runs = prompts.runs.map(seen).filter(({ tokens, totalMs }) => tokens > 0 && totalMs > 0);
  const tokens = sum(runs.map((run) => run.tokens));
  if (tokens < LEAST_TOKENS) return null;
  const isSeen = runs.every(({ firstMs }) => firstMs !== null);
  // The first token's time is its prompt's; the others follow in the rest.
  const rest = runs.map(({ firstMs, totalMs }) => totalMs - (isSeen ? (firstMs ?? 0) : 0));
  const following = isSeen ? tokens - runs.length : tokens;
  return {
    by: prompts.by,
    tokensPerSecond: (following / sum(rest)) * 1000,
    firstTokenMs: isSeen ? median(runs.flatMap(({ firstMs }) => firstMs ?? [])) : null,
    tokens,
    disturbedBy: disturbance(prompts.othersFinished, others),
  };
}

function seen(run: PromptRun): PromptRun {
  const isKept = run.firstMs !== null && run.firstMs > run.totalMs * LATEST_FIRST;
  return isKept ? { ...run, firstMs: null } : run;
}

/** A sentence, or null. Where nobody can tell, nothing is said. */
function disturbance(finished: number | null, others: readonly string[] | null): string | null {
  const beside = others === null || others.length === 0 ? null : `on its GPUs others compute: ${some(others)}`;
  const asked = finished === null || finished === 0 ? null : `${count(finished, 'request')} of others came in between`;
  const words = list([beside, asked].filter((each) => each !== null));
  return words === '' ? null : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
