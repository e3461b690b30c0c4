/** What is kept of a verified run: the best that the recipe has reached on its host, undisturbed. */

import { LEAST_DRAFTS } from './findings/acceptance.ts';
import { works } from './findings/tries.ts';
import type { Measured } from './measured.ts';
import type { Acceptance, Finding, Kept, KeptRecord, Speed, Verification, VerifyId } from './verification.ts';

interface Reached {
  readonly findings: readonly Finding[];
  readonly speed: Speed | null;
  readonly acceptance: Acceptance | null;
}

export interface Recorded {
  /** null: as it was. */
  readonly record: KeptRecord | null;
  readonly recorded: Verification['recorded'];
}

/** Less than that is noise, and no news. */
const BETTER = 1.01;

const UNCHANGED: Recorded = { record: null, recorded: null };

/** A run whose numbers are well raises each that it betters, so that small losses don't wear it down; accepting takes them as they are. */
export function recordOf(measured: Measured, reached: Reached): Recorded {
  const { run, serving, accept, tries, record } = measured;
  if (run.isFound || run.recipe === '' || serving.isDummy || !works(tries)) return UNCHANGED;
  const keep = <Value>(value: Value): Kept<Value> => ({ value, run: run.name, at: measured.at, argv: run.argv });
  const speed = speedToKeep(measured, reached.speed);
  const acceptance = acceptanceToKeep(measured, reached.acceptance);
  const old = record ?? { speed: null, acceptance: null };
  if (accept) {
    if (speed === null && acceptance === null) return UNCHANGED;
    // Speculation was taken out on purpose: what its drafter reached is no measure any more.
    const kept = serving.drafts === null && reached.acceptance === null ? null : old.acceptance;
    return {
      record: {
        speed: speed === null ? old.speed : keep(speed),
        acceptance: acceptance === null ? kept : keep(acceptance),
      },
      recorded: 'accepted',
    };
  }
  if (!isFit(reached.findings)) return UNCHANGED;
  const best = speed === null ? null : bestSpeed(old.speed?.value ?? null, speed);
  const isLonger = acceptance !== null && acceptance.length > (old.acceptance?.value.length ?? 0) * BETTER;
  if (best === null && !isLonger) return UNCHANGED;
  return {
    record: {
      speed: best === null ? old.speed : keep(best),
      acceptance: isLonger ? keep(acceptance) : old.acceptance,
    },
    recorded: record === null ? 'first' : 'better',
  };
}

const NUMBERS: readonly VerifyId[] = ['acceptance', 'speed', 'first_token'];

/** Of use, and nothing is said against its numbers: a warning that stands for good (a setting that the model overrides) is no word on them. */
function isFit(findings: readonly Finding[]): boolean {
  return findings.every(({ id, as }) => as !== 'failed' && (as !== 'warned' || !NUMBERS.includes(id)));
}

type KeptSpeed = NonNullable<KeptRecord['speed']>['value'];

/** Undisturbed, of all prompts. */
function speedToKeep({ prompts }: Measured, speed: Speed | null): KeptSpeed | null {
  if (speed === null || speed.disturbedBy !== null || prompts.left !== null) return null;
  const { by, tokensPerSecond, firstTokenMs } = speed;
  return { by, tokensPerSecond, firstTokenMs };
}

function acceptanceToKeep({ prompts }: Measured, acceptance: Acceptance | null): Acceptance | null {
  const isWhole = acceptance?.of === 'prompts' && acceptance.drafts >= LEAST_DRAFTS && prompts.left === null;
  return isWhole ? acceptance : null;
}

/** null where nothing is better. What forwarding measured takes the place of what curl did, never the other way round. */
function bestSpeed(old: KeptSpeed | null, now: KeptSpeed): KeptSpeed | null {
  if (old === null || (old.by === 'curl' && now.by === 'forwarding')) return now;
  if (old.by !== now.by) return null;
  const isFaster = now.tokensPerSecond > old.tokensPerSecond * BETTER;
  const isEarlier =
    now.firstTokenMs !== null && now.firstTokenMs * BETTER < (old.firstTokenMs ?? Number.POSITIVE_INFINITY);
  if (!isFaster && !isEarlier) return null;
  return {
    by: now.by,
    tokensPerSecond: Math.max(old.tokensPerSecond, now.tokensPerSecond),
    firstTokenMs: least(old.firstTokenMs, now.firstTokenMs),
  };
}

function least(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
