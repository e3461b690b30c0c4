/** Which of Vigil's runs would have to end so that a launch can start. */

import type { RunHolder } from '../run/holder.ts';
import type { Request } from '../run/request.ts';
import { holdsOfDevice } from './devices.ts';
import { type GpusSeen, place, type Stand } from './place.ts';

/** No more than needed, the youngest first where there is a choice; empty where their end would not be enough. It goes before all who wait. */
export function replaceable(request: Request, { held }: Stand, view: GpusSeen): readonly RunHolder[] {
  const stand: Stand = { held, line: [] };
  const blocked = place(request, stand, view);
  if (blocked.kind !== 'blocked') return [];
  const runs = blocked.holders.filter((holder) => holder.kind === 'run').toSorted((a, b) => b.since - a.since);
  const isEnough = (ended: readonly RunHolder[]): boolean => isFree(request, stand, view, ended);
  const enough = runs.findIndex((_, index) => isEnough(runs.slice(0, index + 1)));
  if (enough < 0) return [];
  return runs
    .slice(0, enough + 1)
    .reduce<readonly RunHolder[]>(
      (kept, run) => (isEnough(kept.filter((other) => other !== run)) ? kept.filter((other) => other !== run) : kept),
      runs.slice(0, enough + 1),
    );
}

/** What they hold is free, and nobody computes on their GPUs any more. */
function isFree(request: Request, stand: Stand, view: GpusSeen, ended: readonly RunHolder[]): boolean {
  const gone = new Set(ended.map(({ run }) => run));
  const held = new Map([...stand.held].filter(([, party]) => !gone.has(party.run)));
  const isTheirs = (words: readonly string[]): boolean =>
    words.some((word) => stand.held.has(word)) && !words.some((word) => held.has(word));
  const cleared =
    view === null || view === 'unknown'
      ? view
      : view.map((gpu) =>
          isTheirs(holdsOfDevice({ gpu, mig: null }))
            ? { ...gpu, usedMib: 0, freeMib: gpu.totalMib, processes: [] }
            : gpu,
        );
  return place(request, { held, line: [] }, cleared).kind === 'free';
}
