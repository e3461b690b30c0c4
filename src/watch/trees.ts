/** The processes of a run as the samples show them: two looks at them, compared, show work without another question to the host. */

import type { ProcessLook, Sample } from '../host/sample.ts';
import { holds } from '../pids.ts';
import type { Evidence, Motion } from '../pulse/evidence.ts';
import { motionBetween } from '../pulse/motion.ts';
import { LARGE_PAGES } from '../pulse/processes.ts';

export interface Trees {
  /** What has moved since the last sample with processes; null where this one has none, or is the first. */
  see(sample: Sample): Motion | null;
  /** null before the first. */
  newest(): readonly ProcessLook[] | null;
  /** When a large process joined those of the look before (host time, ms): a compiler, mostly. null while none has. */
  newcomerAt(): number | null;
  /** Cores in use between the last two samples with processes; null where nothing can be compared. */
  cores(): number | null;
}

export function openTrees(): Trees {
  let last: Evidence | null = null;
  let cores: number | null = null;
  let newcomerAt: number | null = null;
  return {
    see({ at, tree }) {
      if (tree === null || tree.length === 0) return null;
      const before = last;
      if (before !== null && hasNewcomer(before.tree ?? [], tree)) newcomerAt = at;
      last = { at, tree, look: null };
      const motion = before === null ? null : motionBetween(before, last);
      cores = motion?.cores ?? null;
      return motion;
    },
    newest: () => last?.tree ?? null,
    newcomerAt: () => newcomerAt,
    cores: () => cores,
  };
}

function hasNewcomer(before: readonly ProcessLook[], tree: readonly ProcessLook[]): boolean {
  return tree.some((process) => process.rssPages >= LARGE_PAGES && !holds(before, process));
}
