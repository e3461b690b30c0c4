/** All that is looked at on the host before a run may start there. */

import type { Checklist, Finding } from '../check/check.ts';
import { refusalsIn, sizeOf } from '../check/sums.ts';
import type { Recipe } from '../config/config.ts';
import type { Tools } from '../processor.ts';
import { labelsOf } from '../report/checklist.ts';
import type { Run } from '../run/run.ts';
import type { Host } from '../tools.ts';
import type { Obstacle } from './gpus-taken.ts';
import { observedNow } from './now.ts';
import { obstacleOn, placeOn } from './obstacles.ts';
import { preflight } from './preflight.ts';
import { observe } from './write.ts';

interface Looking {
  readonly host: Host;
  /** undefined when vigil.yaml lost it since the request: then nothing is checked. */
  readonly recipe: Recipe | undefined;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** Its GPUs, then all checks, and last of all what others may have come to meanwhile. null where nothing is in its way. */
export async function firstObstacle(
  { request }: Run,
  { host, recipe, tools, signal }: Looking,
): Promise<Obstacle | null> {
  const unplaced = await placeOn(request.id, { host, tools, signal });
  const entry = await tools.journal.load(request.id);
  if (unplaced !== null || recipe === undefined || entry === null) return unplaced;
  const { placement } = entry.run;
  const checks = await preflight({ request, recipe, placement }, { ...tools, host }, signal);
  await observe(tools.journal, request.id, () => [observedNow(tools.clock, { kind: 'checked', checks })]);
  const obstacle = await obstacleOn(request.id, { host, tools, signal });
  const refusals = refusalsIn(checks);
  // What others have may be waited for; what else is wrong would be so at its turn as well.
  if (refusals.length === 0) return obstacle;
  if (obstacle !== null && refusals.every(({ check }) => PASSING.includes(check))) return obstacle;
  return { reason: refusedBy(checks, refusals), checks };
}

/** Checks whose refusal may be gone when others have ended. */
const PASSING: readonly string[] = ['port', 'gpu-memory', 'leftovers'];

function refusedBy(checks: Checklist, refusals: readonly Finding[]): string {
  const count = new Set(refusals.map(({ check }) => check)).size;
  const size = sizeOf(checks);
  const of = `${count} of ${size} check${size === 1 ? '' : 's'} ${count === 1 ? 'refuses' : 'refuse'} it`;
  return `${of}: ${labelsOf(refusals)}. Nothing was started.`;
}
