/**
 * The engine is dead: /health answers 503, or the log proves it. The process follows within seconds as a rule, with exit code 0; with
 * VLLM_KEEP_ALIVE_ON_ENGINE_DEATH it stays, and answers 503 for ever.
 */

import { FOLLOW_UPS } from '../diagnosis/catalog.ts';
import type { Cause } from '../diagnosis/cause.ts';
import type { Judged, Look } from './look.ts';
import type { DeathMemory } from './memory.ts';
import type { EngineDeath, Vitals } from './vitals.ts';

/** Its log may say why a moment after /health has changed: so long that is waited for (ms). */
const GRACE_MS = 1_000;
/** So many looks in a row that show it well prove wrong what was told. */
const WELL_LOOKS = 3;

/** What shows the death, and what is known of its reason at that moment. */
export interface Sign {
  /** Host time, ms. */
  readonly at: number;
  /** null: nothing new, only time has passed. */
  readonly how: EngineDeath['how'] | null;
  readonly cause: Cause | null;
}

/** Tells it at once where the reason is known, else when the log has had its moment. */
export function judgeDeath(vitals: Vitals, { at, how, cause }: Sign): Judged {
  if (vitals.death !== null) return { vitals, news: [] };
  const dying = vitals.memory.death.dying ?? (how === null ? null : { at, how });
  if (dying === null) return { vitals, news: [] };
  if (!isReason(cause) && at - dying.at < GRACE_MS) return { vitals: remember(vitals, { dying }), news: [] };
  const death = { ...dying, cause };
  return {
    vitals: { ...remember(vitals, { dying: null, wellLooks: 0 }), death },
    news: [{ kind: 'engine_dead', death }],
  };
}

/** A dead engine never answers 200: one that does again lives, whatever was told. */
export function judgeLife(vitals: Vitals, { beat }: Look): Judged {
  if (vitals.death === null) return { vitals, news: [] };
  const wellLooks = beat.health === 'ok' ? vitals.memory.death.wellLooks + 1 : 0;
  if (wellLooks < WELL_LOOKS) return { vitals: remember(vitals, { wellLooks }), news: [] };
  const text = 'The server answers /health with 200 again: its engine lives, though it was told dead.';
  return { vitals: { ...remember(vitals, { wellLooks: 0 }), death: null }, news: [{ kind: 'notice', text }] };
}

/** False for what only says that something else failed. */
function isReason(cause: Cause | null): boolean {
  return cause !== null && !FOLLOW_UPS.some(({ id }) => id === cause.row);
}

function remember(vitals: Vitals, changes: Partial<DeathMemory>): Vitals {
  const { memory } = vitals;
  return { ...vitals, memory: { ...memory, death: { ...memory.death, ...changes } } };
}
